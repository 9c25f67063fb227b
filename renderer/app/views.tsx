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
import type { ComponentType } from 'react';
import type { ViewId } from '../../core/app/views.ts';
import { DamageCount } from '../features/damage/damage-notice.tsx';
import { OverviewView } from '../features/overview/overview-view.tsx';
import { QualityCount } from '../features/quality/quality-count.tsx';
import { FirstStart } from '../features/search/first-start.tsx';
import { useOverview } from '../platform/app-queries.ts';
import { lazyView } from '../ui/lazy-component.tsx';
import frame from '../ui/view.module.css';
import { useDisplay } from './use-display.ts';

const AccessView = lazyView(async () => (await import('../features/access/access-view.tsx')).AccessView);
const ActivityView = lazyView(
  async () => (await import('../features/activity/activity-view.tsx')).ActivityView,
);
const AuditView = lazyView(async () => (await import('../features/audit/audit-view.tsx')).AuditView);
const BackupView = lazyView(async () => (await import('../features/data/backup-part.tsx')).BackupView);
const DamageView = lazyView(async () => (await import('../features/damage/damage-view.tsx')).DamageView);
const DataView = lazyView(async () => (await import('../features/data/data-view.tsx')).DataView);
const GuideView = lazyView(async () => (await import('../features/guide/guide-view.tsx')).GuideView);
const QualityPage = lazyView(async () => (await import('./quality-page.tsx')).QualityPage);
const SettingsView = lazyView(
  async () => (await import('../features/settings/settings-view.tsx')).SettingsView,
);

/** The Overview tab. An empty store shows the first steps instead. */
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

/** The Settings tab. */
export function SettingsPage() {
  const { theme, selectTheme } = useDisplay();
  return <SettingsView theme={{ now: theme, choose: selectTheme }} />;
}

/** A view of the workbench. Its name is in `text.views`. */
export interface View {
  readonly id: ViewId;
  readonly icon: Icon;
  /** Content of the tab; `isActive` is true in the active tab. The frame renders search and Trust itself. */
  readonly component?: ComponentType<{ readonly isActive: boolean }>;
  /** Only about the local server. */
  readonly local?: true;
  /** Not in the side panel, but in the menu of the initials. */
  readonly unlisted?: true;
  /** Number after the name in the side panel, such as the records with issues. */
  readonly count?: ComponentType;
}

/** All views in the order of the side panel. */
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

/** Returns a view by id; undefined if there is no such view. */
export function findView(id: string): View | undefined {
  return views.find((view) => view.id === id);
}
