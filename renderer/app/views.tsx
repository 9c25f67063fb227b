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
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { AccessView } from '../features/access/access-view.tsx';
import { ActivityView } from '../features/activity/activity-view.tsx';
import { AuditView } from '../features/audit/audit-view.tsx';
import { DamageCount } from '../features/damage/damage-notice.tsx';
import { DamageView } from '../features/damage/damage-view.tsx';
import { BackupView } from '../features/data/backup-part.tsx';
import { DataView } from '../features/data/data-view.tsx';
import { QualityCount } from '../features/quality/quality-count.tsx';
import { text } from '../ui/text.ts';
import { OverviewPage } from './overview-page.tsx';
import { SettingsPage } from './settings-page.tsx';
import { QualityPage } from './quality-page.tsx';

const GuideView = lazy(async () => ({
  default: (await import('../features/guide/guide-view.tsx')).GuideView,
}));

/** A view beside the records: what the left list and the tabs show of it, and what draws it. */
export interface View {
  readonly id: ViewId;
  readonly label: string;
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
  {
    id: 'overview',
    label: text.views.overview,
    icon: IconLayoutDashboard,
    component: OverviewPage,
    local: true,
  },
  { id: 'search', label: text.views.search, icon: IconListSearch },
  {
    id: 'quality',
    label: text.views.quality,
    icon: IconStethoscope,
    component: QualityPage,
    count: QualityCount,
  },
  { id: 'activity', label: text.views.activity, icon: IconActivity, component: ActivityView },
  { id: 'data', label: text.views.data, icon: IconDatabase, component: DataView, local: true },
  { id: 'trust', label: text.views.trust, icon: IconShieldLock, local: true },
  { id: 'audit', label: text.views.audit, icon: IconShieldCheck, component: AuditView, local: true },
  {
    id: 'damage',
    label: text.views.damage,
    icon: IconFileAlert,
    component: DamageView,
    local: true,
    count: DamageCount,
  },
  {
    id: 'backups',
    label: text.views.backups,
    icon: IconDatabaseExport,
    component: BackupView,
    local: true,
  },
  { id: 'access', label: text.views.access, icon: IconKey, component: AccessView, local: true },
  { id: 'settings', label: text.views.settings, icon: IconSettings, component: SettingsPage, unlisted: true },
  { id: 'guide', label: text.views.guide, icon: IconBook2, component: GuideView, unlisted: true },
];

/** Whether a view is shown within the room Trust, beneath its entry in the left list. */
export function isPart({ id }: View): boolean {
  return trustPartOf(id) !== undefined;
}

/** A view by its id; undefined for one that is not built. */
export function viewOf(id: string): View | undefined {
  return views.find((view) => view.id === id);
}
