import { memo, useState } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreferences } from '../../platform/preferences.ts';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { text } from '../../ui/text.ts';
import type { DialogOf } from './use-connection-dialog.ts';

const ProxyDialog = lazyDialog(async () => (await import('./proxy-dialog.tsx')).ProxyDialog);
const ConnectionDialog = lazyDialog(async () => (await import('./connection-dialog.tsx')).ConnectionDialog);

/** Dialogs of connections: add, edit, and the default proxy. Loaded on first use. */
export const ConnectionEditor = memo(function ConnectionEditor() {
  const { remote } = useConnection();
  const { preferences, loaded } = usePreferences();
  const [isProxyOpen, setProxyOpen] = useState(false);
  const [dialogTarget, setDialogTarget] = useState<DialogOf>();
  useCommandHandlers({
    'connection.proxy': () => setProxyOpen(true),
    'connection.add': () => setDialogTarget({}),
    'connection.duplicate': remote
      ? () => setDialogTarget({ copySource: remote })
      : text.commands.localConnection,
    'connection.edit': remote ? () => setDialogTarget({ connection: remote }) : text.commands.localConnection,
  });
  return (
    <>
      {dialogTarget && <ConnectionDialog {...dialogTarget} onClose={() => setDialogTarget(undefined)} />}
      {isProxyOpen && loaded && <ProxyDialog proxy={preferences.proxy} onClose={() => setProxyOpen(false)} />}
    </>
  );
});
