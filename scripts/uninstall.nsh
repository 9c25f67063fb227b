; Said by the uninstaller of Windows, but not where an update runs it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    MessageBox MB_OK|MB_ICONINFORMATION "Your records, their backups and your settings stay in $APPDATA\chartkeeper. Delete that folder to be rid of them." /SD IDOK
  ${endIf}
!macroend
