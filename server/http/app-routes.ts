import type { RequestHandler, Router } from 'express';
import { createQuality } from '../fhir/quality.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Backups } from '../backups/backups.ts';
import type { Training } from '../import/training.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { appGuard } from './access.ts';
import { activityRoutes } from './activity-routes.ts';
import { auditAnswer } from './audit-recorder.ts';
import { auditRoutes } from './audit-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { backupRoutes } from './backup-routes.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { historyRoutes } from './history-routes.ts';
import { issueCountRoutes } from './issue-count-routes.ts';
import { overviewRoutes, type OverviewParts } from './overview-routes.ts';
import { qualityRoutes } from './quality-routes.ts';
import { searchListRoutes } from './search-list-routes.ts';
import { serverOfRequest } from './server-of.ts';
import { tableRouter, type TableRoute } from './route-table.ts';
import { settingRoutes } from './setting-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { trainingRoutes } from './training-routes.ts';
import { transferRoutes, type TransferParts } from './transfer-routes.ts';

export interface AppParts extends TransferParts, OverviewParts {
  readonly workspace: Workspace;
  readonly training: Training;
  readonly backups: Backups;
  readonly gateway: Gateway;
}

/**
 * The addresses under `/app`, which serve the workbench alone (see core/app/models.ts) and holders of everything
 * alone. `readBody` stands in the rows that take a body.
 */
export function appRoutes(parts: AppParts, readBody: RequestHandler): Router {
  const serverOf = serverOfRequest(parts.workspace.connections);
  const { audit } = parts.store;
  const audited = ({ audit: action }: TableRoute) =>
    action === undefined ? [] : [auditAnswer(audit, action)];
  const table = [
    ...overviewRoutes(parts),
    ...settingRoutes(parts.workspace, serverOf, readBody),
    ...tokenRoutes(parts.workspace.tokens, readBody),
    ...activityRoutes(parts.workspace.activity, readBody),
    ...draftRoutes(parts.workspace.drafts, serverOf, parts.maxBody),
    ...transferRoutes(parts),
    ...bulkRoutes(parts.workspace.bulk, serverOf, readBody),
    ...trainingRoutes(parts.training, readBody),
    ...backupRoutes(parts.backups),
    ...historyRoutes(parts),
    ...connectionRoutes({ gateway: parts.gateway, ...parts.workspace }, readBody),
    ...searchListRoutes(parts.workspace.searches, serverOf, readBody),
    ...issueCountRoutes(parts.store, readBody),
    ...auditRoutes(audit),
    ...qualityRoutes(createQuality({ store: parts.store, level: parts.settings.validation })),
  ];
  return tableRouter(
    table.map((route) => ({ ...route, handlers: [...audited(route), appGuard, ...route.handlers] })),
  );
}
