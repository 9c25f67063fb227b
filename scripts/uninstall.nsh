; Message of the Windows uninstaller. Not shown during an update.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    MessageBox MB_OK|MB_ICONINFORMATION "Your records, their backups and your settings stay in $APPDATA\chartkeeper. Delete that folder to be rid of them." /SD IDOK
  ${endIf}
!macroend
