import { connectionHeader } from '../../core/app/connections.ts';
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
import type { ServerExports } from '../bulk-data/server-exports.ts';
import type { Packages } from '../packages/packages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createActivityRoutes } from './activity-routes.ts';
import { createAuditRoutes } from './audit-routes.ts';
import { createChangeRoutes } from './change-routes.ts';
import { createSupportingResourceRoutes } from './supporting-resource-routes.ts';
import { createConnectionRoutes } from './connection-routes.ts';
import { createBackupRoutes } from './backup-routes.ts';
import type { PendingBodies } from './body.ts';
import { createBatchRoutes, type BatchDependencies } from './batch-routes.ts';
import { createBulkRoutes } from './bulk-routes.ts';
import { createDamageRoutes, createRepairRoutes } from './damage-routes.ts';
import { createErasureRoutes } from './erasure-routes.ts';
import { createFindRoutes } from './find-routes.ts';
import { createDraftRoutes } from './draft-routes.ts';
import { createFacetRoutes } from './facet-routes.ts';
import { createGatewayRoutes } from './gateway-routes.ts';
import { createHistoryRoutes, createProvenanceRoutes } from './history-routes.ts';
import { createReferenceNameRoutes } from './reference-name-routes.ts';
import { createSubjectNameRoutes } from './subject-name-routes.ts';
import { createPeopleRoutes } from './people-routes.ts';
import { createPackageRoutes } from './package-routes.ts';
import { createProfileRoutes } from './profile-routes.ts';
import { createOverviewRoutes, type OverviewDependencies } from './overview-routes.ts';
import { createCheckRoutes } from './check-routes.ts';
import type { Checks } from '../validation/checks.ts';
import { createIssueCountRoutes, createQualityRoutes, createStoreFindingRoutes } from './quality-routes.ts';
import { createRemoteQualityRoutes } from './remote-quality-routes.ts';
import { createServerExportRoutes } from './server-export-routes.ts';
import { createSearchListRoutes } from './search-list-routes.ts';
import { createServerReader } from './server-of.ts';
import type { BodyReader } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { createSettingRoutes } from './setting-routes.ts';
import { createTokenRoutes } from './token-routes.ts';
import { createPracticeStoreRoutes, type PracticeStore } from './practice-store-routes.ts';
import {
  createPracticeRoutes,
  createTrainingRoutes,
  type PartsOf,
  type TrainingParts,
} from './training-routes.ts';
import { createTransferRoutes, type TransferDependencies } from './transfer-routes.ts';
import { createCredentialCleanup } from './credential-cleanup.ts';
import { createRevertRoutes } from './revert-routes.ts';

/** Dependencies that every store provides. */
export interface AppDependencies
  extends TransferDependencies, Pick<BatchDependencies, 'undo'>, Omit<OverviewDependencies, 'store'> {
  readonly workspace: Workspace;
  readonly changes: Changes;
  readonly gateway: Gateway;
  readonly remote: RemoteValidation;
  readonly serverExports: ServerExports;
  readonly measureService: MeasureService;
  readonly checks: Checks;
  readonly profiles: Pick<Profiles, 'judge'>;
  readonly packages: Packages;
  readonly finder: Finder;
  readonly erasures: Erasures;
  readonly damage: Damage;
  readonly clock: () => number;
  /** True if a token with this SHA-256 is valid. The check does not count as a use. */
  readonly isTokenValid: (sha256: string) => boolean;
}

/** Dependencies that only a local store provides. */
export interface LocalStoreDependencies extends TrainingParts {
  /** Absent for the practice store itself. */
  readonly practiceStore: PracticeStore | undefined;
  readonly backups: Backups;
  readonly repair: Repair;
}

/** Returns the `/app` routes of the workbench (core/app/models.ts). They require full access. */
export function createAppRoutes(
  dependencies: AppDependencies,
  readBody: BodyReader,
  bodies: PendingBodies,
): readonly TableRoute[] {
  const { workspace, store, gateway, remote, serverExports } = dependencies;
  const { connections } = workspace;
  const { checks, clock } = dependencies;
  const { sentences, undecidedByType } = checks;
  const level = dependencies.settings.validation;
  const quality = createQuality({ store, level, clock, sentences, countUndecided: undecidedByType });
  const serverOf = createServerReader(connections);
  const works = {
    forget: async (id: string) => {
      await remote.forget(id);
      await serverExports.forget(id);
    },
  };
  const forget = createCredentialCleanup({ gateway, works, connections, proxy: workspace.proxy });
  return [
    ...createOverviewRoutes(dependencies),
    ...createFindRoutes(dependencies.finder),
    ...createErasureRoutes(dependencies.erasures, readBody),
    ...createDamageRoutes(dependencies.damage),
    ...createChangeRoutes(dependencies.changes, dependencies.isTokenValid),
    ...createSettingRoutes(workspace, serverOf, forget),
    ...createTokenRoutes(workspace.tokens),
    ...createPeopleRoutes(workspace),
    ...createActivityRoutes(workspace.activity),
    ...createDraftRoutes(workspace.drafts, serverOf, dependencies.maxBody, bodies),
    ...createTransferRoutes(dependencies),
    ...createBatchRoutes(dependencies),
    ...createBulkRoutes(workspace.bulk, serverOf),
    ...createRevertRoutes(workspace, dependencies.service),
    ...createSupportingResourceRoutes(store, dependencies.base),
    ...createPackageRoutes(dependencies.packages),
    ...createProfileRoutes({ ...dependencies, serverOf }),
    ...createHistoryRoutes(dependencies),
    ...createProvenanceRoutes(dependencies),
    ...createConnectionRoutes({ gateway, works, forget, ...workspace }),
    ...createGatewayRoutes({ gateway, remote, connections, readBody }),
    ...createRemoteQualityRoutes({ remote, connections }),
    ...createServerExportRoutes({ serverExports, connections }),
    ...createSearchListRoutes(workspace.searches, serverOf),
    ...createStoreFindingRoutes(dependencies.service, store),
    ...createIssueCountRoutes(store),
    ...createFacetRoutes(store, dependencies.base),
    ...createSubjectNameRoutes(store),
    ...createReferenceNameRoutes(store),
    ...createAuditRoutes(store.audit, workspace.trail),
    ...createQualityRoutes(quality, dependencies.measureService, dependencies.changes),
    ...createCheckRoutes(checks),
  ];
}

/** Returns the routes that need a local store. A shared store has start-shared.ts instead. */
export function createLocalStoreRoutes({
  training,
  practice,
  practiceStore,
  repair,
  backups,
}: LocalStoreDependencies): readonly TableRoute[] {
  const partsOf: PartsOf = async (request) =>
    (await practiceStore?.partsOf(request.header(connectionHeader))) ?? { training, practice };
  return [
    ...(practiceStore ? createPracticeStoreRoutes(practiceStore) : []),
    ...createTrainingRoutes(partsOf),
    ...createPracticeRoutes(partsOf),
    ...createRepairRoutes(repair),
    ...createBackupRoutes(backups),
  ];
}
