import type { RequestHandler, Router } from 'express';
import { isPreferences, type Overview } from '../../core/app/models.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { appGuard, principalOf } from './access.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import { tableRouter, type TableRoute } from './route-table.ts';
import { tokenRoutes } from './token-routes.ts';
import { transferRoutes, type TransferParts } from './transfer-routes.ts';
import { loadDemo } from '../import/load-demo.ts';

export interface AppParts extends TransferParts {
  readonly workspace: Workspace;
  readonly version: string;
}

const shownSubjects = 12;

/**
 * The addresses under `/app`, which serve the workbench alone (see core/app/models.ts) and holders of everything
 * alone. `readBody` stands in the rows that take a body.
 */
export function appRoutes(parts: AppParts, readBody: RequestHandler): Router {
  const table = [
    ...workbenchRoutes(parts, readBody),
    ...tokenRoutes(parts.workspace.tokens, readBody),
    ...transferRoutes(parts),
  ];
  return tableRouter(table.map((route) => ({ ...route, handlers: [appGuard, ...route.handlers] })));
}

function workbenchRoutes(
  { service, store, workspace, version }: AppParts,
  readBody: RequestHandler,
): readonly TableRoute[] {
  const overview: RequestHandler = async (_request, response) => {
    const [counts, subjects] = await Promise.all([store.count(), store.newestSubjects(shownSubjects)]);
    const answer: Overview = { version, counts, subjects };
    sendJson(response, 200, JSON.stringify(answer));
  };
  const demo: RequestHandler = async (_request, response) => {
    const loaded = await loadDemo(service, { author: principalOf(response).name });
    sendJson(response, 200, JSON.stringify(loaded));
  };
  const preferences: RequestHandler = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await workspace.preferences()));
  };
  const savePreferences: RequestHandler = async (request, response) => {
    const sent = jsonBody(request, 'Preferences');
    if (!isPreferences(sent)) {
      throw new FhirError('value', { text: 'The preferences hold a value that is not known.' });
    }
    await workspace.savePreferences(sent);
    sendJson(response, 200, JSON.stringify(sent));
  };
  return [
    { method: 'get', path: '/overview', handlers: [overview] },
    { method: 'post', path: '/demo', handlers: [demo] },
    { method: 'get', path: '/preferences', handlers: [preferences] },
    { method: 'put', path: '/preferences', handlers: [readBody, savePreferences] },
  ];
}
