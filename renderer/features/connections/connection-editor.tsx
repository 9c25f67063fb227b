import { lazy, memo, Suspense, useState } from 'react';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';

const ConnectionDialog = lazy(async () => ({
  default: (await import('./connection-dialog.tsx')).ConnectionDialog,
}));

/** The dialog in which a connection is added, or the one that is worked on is edited; loaded when it is first opened. */
export const ConnectionEditor = memo(function ConnectionEditor() {
  const { remote } = useConnection();
  const [opened, setOpened] = useState<{ readonly connection: ConnectionSummary | undefined }>();
  useCommandHandlers({
    'connection.add': () => setOpened({ connection: undefined }),
    'connection.edit': remote ? () => setOpened({ connection: remote }) : text.commands.localConnection,
  });
  return (
    opened && (
      <Suspense>
        <ConnectionDialog connection={opened.connection} onClose={() => setOpened(undefined)} />
      </Suspense>
    )
  );
});
