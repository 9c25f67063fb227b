import { lazy, Suspense } from 'react';
import type { ConnectionSummary } from '../../core/app/connections.ts';

const ConnectionDialog = lazy(async () => ({
  default: (await import('../features/connections/connection-dialog.tsx')).ConnectionDialog,
}));

interface ConnectionEditorProps {
  readonly connection: ConnectionSummary | undefined;
  readonly onClose: () => void;
}

/** The dialog of a connection, loaded when it is first opened. */
export function ConnectionEditor(props: ConnectionEditorProps) {
  return (
    <Suspense>
      <ConnectionDialog {...props} />
    </Suspense>
  );
}
