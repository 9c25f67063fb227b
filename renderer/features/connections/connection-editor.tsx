import { lazy, memo, Suspense, useState } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreferences } from '../../platform/preferences.ts';
import { text } from '../../ui/text.ts';
import type { DialogOf } from './use-connection-dialog.ts';

const ProxyDialog = lazy(async () => ({
  default: (await import('./proxy-dialog.tsx')).ProxyDialog,
}));

const ConnectionDialog = lazy(async () => ({
  default: (await import('./connection-dialog.tsx')).ConnectionDialog,
}));

/** The dialogs of connections: one that is added, the one that is worked on, the proxy of all; loaded when first opened. */
export const ConnectionEditor = memo(function ConnectionEditor() {
  const { remote } = useConnection();
  const { preferences, loaded } = usePreferences();
  const [proxy, setProxy] = useState(false);
  const [opened, setOpened] = useState<DialogOf>();
  useCommandHandlers({
    'connection.proxy': () => setProxy(true),
    'connection.add': () => setOpened({}),
    'connection.duplicate': remote ? () => setOpened({ like: remote }) : text.commands.localConnection,
    'connection.edit': remote ? () => setOpened({ connection: remote }) : text.commands.localConnection,
  });
  return (
    <Suspense>
      {opened && <ConnectionDialog {...opened} onClose={() => setOpened(undefined)} />}
      {proxy && loaded && <ProxyDialog proxy={preferences.proxy} onClose={() => setProxy(false)} />}
    </Suspense>
  );
});
