import { PreferenceChange } from '../../core/app/preferences.ts';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import type { SettingStore } from '../workspace/settings.ts';
import { bodyOf } from './body.ts';
import type { Forgetting } from './forgetting.ts';
import { json } from './reply.ts';
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
  const changePreferences = json(async (request) => {
    const change = bodyOf(request, 'Preferences', PreferenceChange, {
      text: 'The preferences hold a name or a value that is not known.',
    });
    if (change.proxy) await forget.proxyBefore(change.proxy);
    return settings.changePreferences(change);
  });
  const session = json(async (request) => {
    const kept = await settings.session(await serverOf(request));
    return kept ?? emptySession;
  });
  const saveSession = json(async (request) => {
    const sent = bodyOf(request, 'Session', WorkbenchSession, {
      text: 'Send tabs, the index of the active one, and recent records.',
    });
    await settings.saveSession(await serverOf(request), sent);
    return sent;
  });
  return [
    { method: 'GET', path: '/app/preferences', answer: json(() => settings.preferences()) },
    { method: 'PUT', path: '/app/preferences', readBody, answer: changePreferences },
    { method: 'GET', path: '/app/session', answer: session },
    { method: 'PUT', path: '/app/session', readBody, answer: saveSession },
  ];
}
