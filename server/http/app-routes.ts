import type { Damage } from '../damage/damage.ts';
import type { Mending } from '../damage/mending.ts';
import type { Changes } from '../fhir/changes.ts';
import type { Profiles } from '../judge/profiles.ts';
import type { Measuring } from '../fhir/measuring.ts';
import { createQuality } from '../fhir/quality.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Backups } from '../backups/backups.ts';
import type { Erasures } from '../erasures/erasures.ts';
import type { Finder } from '../find/finder.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import type { Packages } from '../packages/packages.ts';
import type { Training } from '../import/training.ts';
import type { Practice } from '../import/practice.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { activityRoutes } from './activity-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { changeRoutes } from './change-routes.ts';
import { companionRoutes } from './companion-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { backupRoutes } from './backup-routes.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { damageRoutes, mendRoutes } from './damage-routes.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { findRoutes } from './find-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { facetRoutes } from './facet-routes.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import { historyRoutes, provenanceRoutes } from './history-routes.ts';
import { referenceNameRoutes } from './reference-name-routes.ts';
import { subjectNameRoutes } from './subject-name-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { packageRoutes } from './package-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { overviewRoutes, type OverviewParts } from './overview-routes.ts';
import { checkRoutes } from './check-routes.ts';
import type { Checks } from '../judge/checks.ts';
import { issueCountRoutes, qualityRoutes, storeFindingRoutes } from './quality-routes.ts';
import { remoteQualityRoutes } from './remote-quality-routes.ts';
import { searchListRoutes } from './search-list-routes.ts';
import { serverOfRequest } from './server-of.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { settingRoutes } from './setting-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { practiceRoutes, trainingRoutes } from './training-routes.ts';
import { transferRoutes, type TransferParts } from './transfer-routes.ts';
import { forgetting } from './forgetting.ts';
import { putBackRoutes } from './put-back-routes.ts';

/** What every engine has. */
export interface AppParts extends TransferParts, Omit<OverviewParts, 'store'> {
  readonly workspace: Workspace;
  readonly changes: Changes;
  readonly gateway: Gateway;
  readonly remote: RemoteJudge;
  readonly measuring: Measuring;
  readonly checks: Checks;
  readonly profiles: Pick<Profiles, 'judge'>;
  readonly packages: Packages;
  readonly finder: Finder;
  readonly erasures: Erasures;
  readonly damage: Damage;
  readonly clock: () => number;
  /** True if the token of a SHA-256 is taken now; to ask is no use of it. */
  readonly isTaken: (sha256: string) => boolean;
}

/** What only a store of one's own has beside it. */
export interface FileParts {
  readonly training: Training;
  readonly practice: Practice;
  readonly backups: Backups;
  readonly mending: Mending;
}

/** The addresses under `/app`, which serve the workbench (see core/app/models.ts) and holders of everything alone. */
export function appRoutes(parts: AppParts, readBody: Answer): readonly TableRoute[] {
  const { workspace, store, gateway, remote } = parts;
  const { connections } = workspace;
  const { checks, clock } = parts;
  const { sentences, undecidedByType } = checks;
  const level = parts.settings.validation;
  const quality = createQuality({ store, level, clock, sentences, undecided: undecidedByType });
  const serverOf = serverOfRequest(connections);
  const forget = forgetting({ gateway, remote, connections, proxy: workspace.proxy });
  return [
    ...overviewRoutes(parts),
    ...findRoutes(parts.finder),
    ...erasureRoutes(parts.erasures, readBody),
    ...damageRoutes(parts.damage),
    ...changeRoutes(parts.changes, parts.isTaken),
    ...settingRoutes(workspace, serverOf, forget),
    ...tokenRoutes(workspace.tokens),
    ...peopleRoutes(workspace),
    ...activityRoutes(workspace.activity),
    ...draftRoutes(workspace.drafts, serverOf, parts.maxBody),
    ...transferRoutes(parts),
    ...bulkRoutes(workspace.bulk, serverOf),
    ...putBackRoutes(workspace, parts.service),
    ...companionRoutes(store, parts.base),
    ...packageRoutes(parts.packages),
    ...profileRoutes({ ...parts, serverOf }),
    ...historyRoutes(parts),
    ...provenanceRoutes(parts),
    ...connectionRoutes({ gateway, remote, forget, ...workspace }),
    ...gatewayRoutes({ gateway, remote, connections, readBody }),
    ...remoteQualityRoutes({ remote, connections }),
    ...searchListRoutes(workspace.searches, serverOf),
    ...storeFindingRoutes(parts.service, store),
    ...issueCountRoutes(store),
    ...facetRoutes(store, parts.base),
    ...subjectNameRoutes(store),
    ...referenceNameRoutes(store),
    ...auditRoutes(store.audit, workspace.trail),
    ...qualityRoutes(quality, parts.measuring, parts.changes),
    ...checkRoutes(checks),
  ];
}

/** Those that only a store of one's own answers; of a shared one, absent-routes.ts. */
export function fileRoutes({ training, practice, mending, backups }: FileParts): readonly TableRoute[] {
  return [
    ...trainingRoutes(training),
    ...practiceRoutes(practice),
    ...mendRoutes(mending),
    ...backupRoutes(backups),
  ];
}
