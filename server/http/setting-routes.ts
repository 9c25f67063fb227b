import { PreferenceChange } from '../../core/app/preferences.ts';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { SettingStore } from '../workspace/settings.ts';
import { jsonBody } from './body.ts';
import type { Forgetting } from './forgetting.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** `/app/preferences` and `/app/session`: what the workbench remembers (core/app/preferences.ts and session.ts). */
export function settingRoutes(
  settings: SettingStore,
  serverOf: ServerOf,
  readBody: Answer,
  forget: Pick<Forgetting, 'proxyBefore'>,
): readonly TableRoute[] {
  const preferences: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await settings.preferences()));
  };
  const changePreferences: Answer = async (request, response) => {
    const change = jsonBody(request, 'Preferences');
    if (!is(PreferenceChange, change)) {
      throw new FhirError('value', { text: 'The preferences hold a name or a value that is not known.' });
    }
    if (change.proxy) await forget.proxyBefore(change.proxy);
    sendJson(response, 200, JSON.stringify(await settings.changePreferences(change)));
  };
  const session: Answer = async (request, response) => {
    const kept = await settings.session(await serverOf(request));
    sendJson(response, 200, JSON.stringify(kept ?? emptySession));
  };
  const saveSession: Answer = async (request, response) => {
    const sent = jsonBody(request, 'Session');
    if (!is(WorkbenchSession, sent)) {
      throw new FhirError('value', { text: 'Send tabs, the index of the active one, and recent records.' });
    }
    await settings.saveSession(await serverOf(request), sent);
    sendJson(response, 200, JSON.stringify(sent));
  };
  return [
    { method: 'GET', path: '/app/preferences', answer: preferences },
    { method: 'PUT', path: '/app/preferences', readBody, answer: changePreferences },
    { method: 'GET', path: '/app/session', answer: session },
    { method: 'PUT', path: '/app/session', readBody, answer: saveSession },
  ];
}
