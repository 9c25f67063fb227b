import type { RequestHandler } from 'express';
import { PreferenceChange } from '../../core/app/preferences.ts';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { SettingStore } from '../workspace/settings.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** `/app/preferences` and `/app/session`: what the workbench remembers (core/app/preferences.ts and session.ts). */
export function settingRoutes(
  settings: SettingStore,
  serverOf: ServerOf,
  readBody: RequestHandler,
): readonly TableRoute[] {
  const preferences: RequestHandler = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await settings.preferences()));
  };
  const changePreferences: RequestHandler = async (request, response) => {
    const change = jsonBody(request, 'Preferences');
    if (!is(PreferenceChange, change)) {
      throw new FhirError('value', { text: 'The preferences hold a name or a value that is not known.' });
    }
    sendJson(response, 200, JSON.stringify(await settings.changePreferences(change)));
  };
  const session: RequestHandler = async (request, response) => {
    const kept = await settings.session(await serverOf(request));
    sendJson(response, 200, JSON.stringify(kept ?? emptySession));
  };
  const saveSession: RequestHandler = async (request, response) => {
    const sent = jsonBody(request, 'Session');
    if (!is(WorkbenchSession, sent)) {
      throw new FhirError('value', { text: 'Send tabs, the index of the active one, and recent records.' });
    }
    await settings.saveSession(await serverOf(request), sent);
    sendJson(response, 200, JSON.stringify(sent));
  };
  return [
    { method: 'get', path: '/preferences', handlers: [preferences] },
    { method: 'put', path: '/preferences', handlers: [readBody, changePreferences] },
    { method: 'get', path: '/session', handlers: [session] },
    { method: 'put', path: '/session', handlers: [readBody, saveSession] },
  ];
}
