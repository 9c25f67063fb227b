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
import { DamageCount } from '../features/damage/damage-notice.tsx';
import { DamageView } from '../features/damage/damage-view.tsx';
import { BackupView } from '../features/data/backup-part.tsx';
import { DataView } from '../features/data/data-view.tsx';
import { QualityCount } from '../features/quality/quality-count.tsx';
import { OverviewPage } from './overview-page.tsx';
import { SettingsPage } from './settings-page.tsx';
import { QualityPage } from './quality-page.tsx';

const GuideView = lazy(async () => ({
  default: (await import('../features/guide/guide-view.tsx')).GuideView,
}));

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
