import { BulkRuns } from '../features/bulk/bulk-runs.tsx';
import { ChecksSlot } from '../features/checks/checks-slot.tsx';
import { QualityView } from '../features/quality/quality-view.tsx';

/** The Quality view, and beneath its rules one's own checks and the runs that replaced in many records. */
export function QualityPage({ front }: { readonly front: boolean }) {
  const beneath = (
    <>
      <ChecksSlot />
      <BulkRuns />
    </>
  );
  return <QualityView front={front} runs={beneath} />;
}
