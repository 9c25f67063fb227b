import { Router } from 'express';
import { isPreferences, type Overview } from '../../core/app/models.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { readJson } from '../../core/fhir/record.ts';
import { print } from '../../core/json/print.ts';
import type { RecordStore } from '../store/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { principalOf } from './access.ts';
import { sendJson } from './reply.ts';
import { bodyText } from './request.ts';
import type { RecordService } from '../fhir/service.ts';
import { loadDemo } from '../import/load-demo.ts';

export interface AppParts {
  readonly service: RecordService;
  readonly store: RecordStore;
  readonly workspace: Workspace;
  readonly version: string;
}

const shownSubjects = 12;

/** The addresses under `/app`, which serve the workbench alone (see core/app/models.ts). */
export function appRoutes({ service, store, workspace, version }: AppParts): Router {
  const router = Router({ caseSensitive: true });

  router.get('/overview', async (_request, response) => {
    const [counts, subjects] = await Promise.all([store.count(), store.newestSubjects(shownSubjects)]);
    const overview: Overview = { version, counts, subjects };
    sendJson(response, 200, JSON.stringify(overview));
  });

  router.post('/demo', async (_request, response) => {
    const loaded = await loadDemo(service, { author: principalOf(response).name });
    sendJson(response, 200, JSON.stringify(loaded));
  });

  router.get('/preferences', async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await workspace.preferences()));
  });

  router.put('/preferences', async (request, response) => {
    const preferences: unknown = JSON.parse(print(readJson(bodyText(request), 'Preferences')));
    if (!isPreferences(preferences)) {
      throw new FhirError('value', { text: 'The preferences hold a value that is not known.' });
    }
    await workspace.savePreferences(preferences);
    sendJson(response, 200, JSON.stringify(preferences));
  });

  return router;
}
