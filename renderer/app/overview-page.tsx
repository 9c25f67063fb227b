import { OverviewView } from '../features/overview/overview-view.tsx';
import { FirstStart } from '../features/search/first-start.tsx';
import { useOverview } from '../platform/app-queries.ts';
import frame from '../ui/view.module.css';

/** The Overview tab; an empty store shows its doors instead. */
export function OverviewPage() {
  const counts = useOverview().data?.counts;
  const empty = counts !== undefined && Object.values(counts).every((count) => count === 0);
  return (
    <div className={frame.view}>
      {empty ? (
        <FirstStart />
      ) : (
        <div className={`${frame.panel} ${frame.padded}`}>
          <OverviewView />
        </div>
      )}
    </div>
  );
}
