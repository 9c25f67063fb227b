import { BulkRuns } from '../features/bulk/bulk-runs.tsx';
import { LazyChecks } from '../features/checks/checks-slot.tsx';
import { QualityView } from '../features/quality/quality-view.tsx';

/** The Quality view, with custom checks and bulk runs below its rules. */
export function QualityPage({ isActive }: { readonly isActive: boolean }) {
  const beneath = (
    <>
      <LazyChecks />
      <BulkRuns />
    </>
  );
  return <QualityView isActive={isActive} runs={beneath} />;
}
