import type { Overview } from '../../core/app/models.ts';
import { createQuality } from '../fhir/quality.ts';
import type { ServerSettings } from '../settings.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Backups } from '../backups/backups.ts';
import type { Training } from '../import/training.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { activityRoutes } from './activity-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { backupRoutes } from './backup-routes.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import { historyRoutes } from './history-routes.ts';
import { issueCountRoutes } from './issue-count-routes.ts';
import { qualityRoutes } from './quality-routes.ts';
import { sendJson } from './reply.ts';
import { searchListRoutes } from './search-list-routes.ts';
import { serverOfRequest } from './server-of.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { settingRoutes } from './setting-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { trainingRoutes } from './training-routes.ts';
import { transferRoutes, type TransferParts } from './transfer-routes.ts';

export interface AppParts extends TransferParts {
  readonly workspace: Workspace;
  readonly training: Training;
  readonly backups: Backups;
  readonly gateway: Gateway;
  readonly version: string;
  readonly settings: Pick<ServerSettings, 'validation'>;
}

const shownSubjects = 12;

/** The addresses under `/app`, which serve the workbench (see core/app/models.ts) and holders of everything alone. */
export function appRoutes(parts: AppParts, readBody: Answer): readonly TableRoute[] {
  const { workspace, store, gateway } = parts;
  const serverOf = serverOfRequest(workspace.connections);
  return [
    ...workbenchRoutes(parts),
    ...settingRoutes(workspace, serverOf, readBody),
    ...tokenRoutes(workspace.tokens, readBody),
    ...activityRoutes(workspace.activity, readBody),
    ...draftRoutes(workspace.drafts, serverOf, parts.maxBody),
    ...transferRoutes(parts),
    ...bulkRoutes(workspace.bulk, serverOf, readBody),
    ...trainingRoutes(parts.training, readBody),
    ...backupRoutes(parts.backups),
    ...historyRoutes(parts),
    ...connectionRoutes({ gateway, ...workspace }, readBody),
    ...gatewayRoutes({ gateway, connections: workspace.connections, readBody }),
    ...searchListRoutes(workspace.searches, serverOf, readBody),
    ...issueCountRoutes(store, readBody),
    ...auditRoutes(store.audit),
    ...qualityRoutes(createQuality({ store, level: parts.settings.validation })),
  ];
}

function workbenchRoutes({ store, version, settings }: AppParts): readonly TableRoute[] {
  const overview: Answer = async (_request, response) => {
    const [counts, subjects] = await Promise.all([store.count(), store.newestSubjects(shownSubjects)]);
    const answer: Overview = { version, level: settings.validation, counts, subjects };
    sendJson(response, 200, JSON.stringify(answer));
  };
  return [{ method: 'GET', path: '/app/overview', audit: 'search', answer: overview }];
}
