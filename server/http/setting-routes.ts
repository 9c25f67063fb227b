import { PreferenceChange } from '../../core/app/preferences.ts';
import { emptySession, WorkbenchSession } from '../../core/app/session.ts';
import { SettingsImport, type SettingsFiles } from '../../core/app/settings-files.ts';
import { defineMessages } from '../../core/text/message.ts';
import { createPortableSettings } from '../workspace/portable-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parseBodyAs } from './body.ts';
import type { CredentialCleanup } from './credential-cleanup.ts';
import { createJsonHandler } from './reply.ts';
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
export function createSettingRoutes(
  workspace: Workspace,
  serverOf: ServerOf,
  forget: CredentialCleanup,
): readonly TableRoute[] {
  const changePreferences = createJsonHandler(async (request) => {
    const change = parseBodyAs(request, 'Preferences', PreferenceChange, messages.invalidPreferences());
    if (change.proxy) await forget.proxyBefore(change.proxy);
    return workspace.changePreferences(change);
  });
  const session = createJsonHandler(async (request) => {
    const storedSession = await workspace.session(await serverOf(request));
    return storedSession ?? emptySession;
  });
  const saveSession = createJsonHandler(async (request) => {
    const session = parseBodyAs(request, 'Session', WorkbenchSession, messages.invalidSession());
    await workspace.saveSession(await serverOf(request), session);
    return session;
  });
  const portableSettings = createPortableSettings(workspace, forget);
  const files = createJsonHandler(
    async () => ({ files: await portableSettings.files() }) satisfies SettingsFiles,
  );
  const takeOver = createJsonHandler((request) => {
    const settingsImport = parseBodyAs(request, 'Settings', SettingsImport, messages.invalidFiles());
    return portableSettings.takeOver(settingsImport.files, settingsImport.dryRun);
  });
  return [
    { method: 'GET', path: '/app/preferences', handler: createJsonHandler(() => workspace.preferences()) },
    { method: 'PUT', path: '/app/preferences', body: true, handler: changePreferences },
    { method: 'GET', path: '/app/session', handler: session },
    { method: 'PUT', path: '/app/session', body: true, handler: saveSession },
    { method: 'GET', path: '/app/settings/files', handler: files },
    { method: 'POST', path: '/app/settings/files', body: true, handler: takeOver },
  ];
}
