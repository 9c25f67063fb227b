import {
  IconActivity,
  IconBook2,
  IconDatabase,
  IconDatabaseExport,
  IconFileAlert,
  IconKey,
  IconLayoutDashboard,
  IconListSearch,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconStethoscope,
  type Icon,
} from '@tabler/icons-react';
import { lazy, type ComponentType } from 'react';
import type { ViewId } from '../../core/app/views.ts';
import { AccessView } from '../features/access/access-view.tsx';
import { ActivityView } from '../features/activity/activity-view.tsx';
import { AuditView } from '../features/audit/audit-view.tsx';
import { BulkRuns } from '../features/bulk/bulk-runs.tsx';
import { LazyChecks } from '../features/checks/checks-slot.tsx';
import { DamageCount } from '../features/damage/damage-notice.tsx';
import { DamageView } from '../features/damage/damage-view.tsx';
import { BackupView } from '../features/data/backup-part.tsx';
import { DataView } from '../features/data/data-view.tsx';
import { OverviewView } from '../features/overview/overview-view.tsx';
import { QualityCount } from '../features/quality/quality-count.tsx';
import { QualityView } from '../features/quality/quality-view.tsx';
import { FirstStart } from '../features/search/first-start.tsx';
import { SettingsView } from '../features/settings/settings-view.tsx';
import { useOverview } from '../platform/app-queries.ts';
import frame from '../ui/view.module.css';
import { useDisplay } from './use-display.ts';

const GuideView = lazy(async () => ({
  default: (await import('../features/guide/guide-view.tsx')).GuideView,
}));

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

/** Settings within the frame. */
export function SettingsPage() {
  const { theme, chooseTheme } = useDisplay();
  return <SettingsView theme={{ now: theme, choose: chooseTheme }} />;
}

/** The Quality view, and beneath its rules one's own checks and the runs that replaced in many records. */
function QualityPage({ front }: { readonly front: boolean }) {
  const beneath = (
    <>
      <LazyChecks />
      <BulkRuns />
    </>
  );
  return <QualityView front={front} runs={beneath} />;
}

/** A view beside the records: what the left list and the tabs show of it beside its name in `text.views`, and what draws it. */
export interface View {
  readonly id: ViewId;
  readonly icon: Icon;
  /** Draws the view's tab; `front` tells whether it is the one in front. The frame draws search and Trust itself. */
  readonly component?: ComponentType<{ readonly front: boolean }>;
  /** About the local server alone. */
  readonly local?: true;
  /** Not in the left list: it stands behind the initials in the top bar. */
  readonly unlisted?: true;
  /** Draws the number behind the view's name in the left list, such as the records with issues. */
  readonly count?: ComponentType;
}

/** Every view that is built, in the order of the left list. */
export const views: readonly View[] = [
  { id: 'overview', icon: IconLayoutDashboard, component: OverviewPage, local: true },
  { id: 'search', icon: IconListSearch },
  { id: 'quality', icon: IconStethoscope, component: QualityPage, count: QualityCount },
  { id: 'activity', icon: IconActivity, component: ActivityView },
  { id: 'data', icon: IconDatabase, component: DataView, local: true },
  { id: 'trust', icon: IconShieldLock, local: true },
  { id: 'audit', icon: IconShieldCheck, component: AuditView, local: true },
  { id: 'damage', icon: IconFileAlert, component: DamageView, local: true, count: DamageCount },
  { id: 'backups', icon: IconDatabaseExport, component: BackupView, local: true },
  { id: 'access', icon: IconKey, component: AccessView, local: true },
  { id: 'settings', icon: IconSettings, component: SettingsPage, unlisted: true },
  { id: 'guide', icon: IconBook2, component: GuideView, unlisted: true },
];

/** A view by its id; undefined for one that is not built. */
export function viewOf(id: string): View | undefined {
  return views.find((view) => view.id === id);
}
