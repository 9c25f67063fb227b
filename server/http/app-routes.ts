import type { Damage } from '../damage/damage.ts';
import type { Repair } from '../damage/repair.ts';
import type { Changes } from '../fhir/changes.ts';
import type { Profiles } from '../validation/profiles.ts';
import type { MeasureService } from '../fhir/measuring.ts';
import { createQuality } from '../fhir/quality.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Backups } from '../backups/backups.ts';
import type { Erasures } from '../erasures/erasures.ts';
import type { Finder } from '../find/finder.ts';
import type { RemoteValidation } from '../remote/remote-validation.ts';
import type { Packages } from '../packages/packages.ts';
import type { Training } from '../import/training.ts';
import type { Practice } from '../import/practice.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { activityRoutes } from './activity-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { changeRoutes } from './change-routes.ts';
import { createSupportingResourceRoutes } from './supporting-resource-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { backupRoutes } from './backup-routes.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { damageRoutes, createRepairRoutes } from './damage-routes.ts';
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
import type { Checks } from '../validation/checks.ts';
import { issueCountRoutes, qualityRoutes, storeFindingRoutes } from './quality-routes.ts';
import { remoteQualityRoutes } from './remote-quality-routes.ts';
import { searchListRoutes } from './search-list-routes.ts';
import { serverOfRequest } from './server-of.ts';
import type { Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { settingRoutes } from './setting-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { practiceRoutes, trainingRoutes } from './training-routes.ts';
import { transferRoutes, type TransferParts } from './transfer-routes.ts';
import { createCredentialCleanup } from './credential-cleanup.ts';
import { createRevertRoutes } from './revert-routes.ts';

/** Dependencies that every store provides. */
export interface AppParts extends TransferParts, Omit<OverviewParts, 'store'> {
  readonly workspace: Workspace;
  readonly changes: Changes;
  readonly gateway: Gateway;
  readonly remote: RemoteValidation;
  readonly measuring: MeasureService;
  readonly checks: Checks;
  readonly profiles: Pick<Profiles, 'judge'>;
  readonly packages: Packages;
  readonly finder: Finder;
  readonly erasures: Erasures;
  readonly damage: Damage;
  readonly clock: () => number;
  /** True if a token with this SHA-256 is valid. The check does not count as a use. */
  readonly isTaken: (sha256: string) => boolean;
}

/** Dependencies that only a local store provides. */
export interface FileParts {
  readonly training: Training;
  readonly practice: Practice;
  readonly backups: Backups;
  readonly mending: Repair;
}

/** Returns the `/app` routes of the workbench (core/app/models.ts). They require full access. */
export function appRoutes(dependencies: AppParts, readBody: Handler): readonly TableRoute[] {
  const { workspace, store, gateway, remote } = dependencies;
  const { connections } = workspace;
  const { checks, clock } = dependencies;
  const { sentences, undecidedByType } = checks;
  const level = dependencies.settings.validation;
  const quality = createQuality({ store, level, clock, sentences, undecided: undecidedByType });
  const serverOf = serverOfRequest(connections);
  const forget = createCredentialCleanup({ gateway, remote, connections, proxy: workspace.proxy });
  return [
    ...overviewRoutes(dependencies),
    ...findRoutes(dependencies.finder),
    ...erasureRoutes(dependencies.erasures, readBody),
    ...damageRoutes(dependencies.damage),
    ...changeRoutes(dependencies.changes, dependencies.isTaken),
    ...settingRoutes(workspace, serverOf, forget),
    ...tokenRoutes(workspace.tokens),
    ...peopleRoutes(workspace),
    ...activityRoutes(workspace.activity),
    ...draftRoutes(workspace.drafts, serverOf, dependencies.maxBody),
    ...transferRoutes(dependencies),
    ...bulkRoutes(workspace.bulk, serverOf),
    ...createRevertRoutes(workspace, dependencies.service),
    ...createSupportingResourceRoutes(store, dependencies.base),
    ...packageRoutes(dependencies.packages),
    ...profileRoutes({ ...dependencies, serverOf }),
    ...historyRoutes(dependencies),
    ...provenanceRoutes(dependencies),
    ...connectionRoutes({ gateway, remote, forget, ...workspace }),
    ...gatewayRoutes({ gateway, remote, connections, readBody }),
    ...remoteQualityRoutes({ remote, connections }),
    ...searchListRoutes(workspace.searches, serverOf),
    ...storeFindingRoutes(dependencies.service, store),
    ...issueCountRoutes(store),
    ...facetRoutes(store, dependencies.base),
    ...subjectNameRoutes(store),
    ...referenceNameRoutes(store),
    ...auditRoutes(store.audit, workspace.trail),
    ...qualityRoutes(quality, dependencies.measuring, dependencies.changes),
    ...checkRoutes(checks),
  ];
}

/** Returns the routes that need a local store. A shared store has absent-routes.ts instead. */
export function fileRoutes({
  training,
  practice,
  mending: repair,
  backups,
}: FileParts): readonly TableRoute[] {
  return [
    ...trainingRoutes(training),
    ...practiceRoutes(practice),
    ...createRepairRoutes(repair),
    ...backupRoutes(backups),
  ];
}
