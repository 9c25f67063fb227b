import { PreferenceChange } from '../../core/app/preferences.ts';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { SettingsImport, type SettingsFiles } from '../../core/app/settings-files.ts';
import { carriedSettings } from '../workspace/carried-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { bodyOf } from './body.ts';
import type { Forgetting } from './forgetting.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/**
 * `/app/preferences` and `/app/session`: what the workbench remembers (core/app/preferences.ts and session.ts), and
 * `/app/settings/files`: the settings as files that can lie in git (core/app/settings-files.ts).
 */
export function settingRoutes(
  workspace: Workspace,
  serverOf: ServerOf,
  forget: Forgetting,
): readonly TableRoute[] {
  const changePreferences = json(async (request) => {
    const change = bodyOf(request, 'Preferences', PreferenceChange, {
      text: 'The preferences hold a name or a value that is not known.',
    });
    if (change.proxy) await forget.proxyBefore(change.proxy);
    return workspace.changePreferences(change);
  });
  const session = json(async (request) => {
    const kept = await workspace.session(await serverOf(request));
    return kept ?? emptySession;
  });
  const saveSession = json(async (request) => {
    const sent = bodyOf(request, 'Session', WorkbenchSession, {
      text: 'Send tabs, the index of the active one, and recent records.',
    });
    await workspace.saveSession(await serverOf(request), sent);
    return sent;
  });
  const carried = carriedSettings(workspace, forget);
  const files = json(async () => ({ files: await carried.files() }) satisfies SettingsFiles);
  const takeOver = json((request) => {
    const sent = bodyOf(request, 'Settings', SettingsImport, {
      text: 'Send files, an array of objects with path and text, and dryRun, true or false.',
    });
    return carried.takeOver(sent.files, sent.dryRun);
  });
  return [
    { method: 'GET', path: '/app/preferences', answer: json(() => workspace.preferences()) },
    { method: 'PUT', path: '/app/preferences', body: true, answer: changePreferences },
    { method: 'GET', path: '/app/session', answer: session },
    { method: 'PUT', path: '/app/session', body: true, answer: saveSession },
    { method: 'GET', path: '/app/settings/files', answer: files },
    { method: 'POST', path: '/app/settings/files', body: true, answer: takeOver },
  ];
}
