import type { RequestHandler, Router } from 'express';
import type { Overview } from '../../core/app/models.ts';
import { createQuality } from '../fhir/quality.ts';
import type { ServerSettings } from '../settings.ts';
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
import { qualityRoutes } from './quality-routes.ts';
import { sendJson } from './reply.ts';
import { searchListRoutes } from './search-list-routes.ts';
import { serverOfRequest } from './server-of.ts';
import { tableRouter, type TableRoute } from './route-table.ts';
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
    ...workbenchRoutes(parts),
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

function workbenchRoutes({ store, version, settings }: AppParts): readonly TableRoute[] {
  const overview: RequestHandler = async (_request, response) => {
    const [counts, subjects] = await Promise.all([store.count(), store.newestSubjects(shownSubjects)]);
    const answer: Overview = { version, level: settings.validation, counts, subjects };
    sendJson(response, 200, JSON.stringify(answer));
  };
  return [{ method: 'get', path: '/overview', audit: 'search', handlers: [overview] }];
}
