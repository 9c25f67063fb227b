import { PreferenceChange } from '../../core/app/preferences.ts';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { SettingsImport, type SettingsFiles } from '../../core/app/settings-files.ts';
import { defineMessages } from '../../core/text/message.ts';
import { createPortableSettings } from '../workspace/portable-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { bodyOf } from './body.ts';
import type { CredentialCleanup } from './credential-cleanup.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

const messages = defineMessages('setting', {
  invalidPreferences: 'Unknown preference or value.',
  invalidSession: 'Send tabs, the index of the active tab, and recent records.',
  invalidFiles: 'Send files, an array of objects with path and text, and dryRun, true or false.',
});

/**
 * `/app/preferences`, `/app/session` (core/app/preferences.ts, session.ts) and `/app/settings/files`:
 * settings as files for Git (core/app/settings-files.ts).
 */
export function settingRoutes(
  workspace: Workspace,
  serverOf: ServerOf,
  forget: CredentialCleanup,
): readonly TableRoute[] {
  const changePreferences = json(async (request) => {
    const change = bodyOf(request, 'Preferences', PreferenceChange, messages.invalidPreferences());
    if (change.proxy) await forget.proxyBefore(change.proxy);
    return workspace.changePreferences(change);
  });
  const session = json(async (request) => {
    const storedSession = await workspace.session(await serverOf(request));
    return storedSession ?? emptySession;
  });
  const saveSession = json(async (request) => {
    const session = bodyOf(request, 'Session', WorkbenchSession, messages.invalidSession());
    await workspace.saveSession(await serverOf(request), session);
    return session;
  });
  const portableSettings = createPortableSettings(workspace, forget);
  const files = json(async () => ({ files: await portableSettings.files() }) satisfies SettingsFiles);
  const takeOver = json((request) => {
    const settingsImport = bodyOf(request, 'Settings', SettingsImport, messages.invalidFiles());
    return portableSettings.takeOver(settingsImport.files, settingsImport.dryRun);
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
