import { BulkRuns } from '../features/bulk/bulk-runs.tsx';
import { QualityView } from '../features/quality/quality-view.tsx';

/** The Quality view, and beneath its rules the runs that replaced in many records. */
export function QualityPage({ front }: { readonly front: boolean }) {
  return <QualityView front={front} runs={<BulkRuns />} />;
}
