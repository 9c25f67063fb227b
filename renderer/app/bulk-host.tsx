import { lazy, Suspense } from 'react';
import type { BulkToOpen } from '../../core/app/bulk.ts';

// With it come the rules of the validation, which the first screen does not need.
const BulkSheet = lazy(async () => ({
  default: (await import('../features/bulk/bulk-sheet.tsx')).BulkSheet,
}));

interface BulkHostProps {
  readonly bulk: BulkToOpen;
  readonly onClose: () => void;
}

/** The bulk sheet over the workbench, loaded when it is first opened. */
export function BulkHost({ bulk, onClose }: BulkHostProps) {
  return (
    <Suspense>
      <BulkSheet key={'run' in bulk ? bulk.run : ''} bulk={bulk} onClose={onClose} />
    </Suspense>
  );
}
