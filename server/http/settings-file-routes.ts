import { SettingsImport, type SettingsFiles } from '../../core/app/settings-files.ts';
import { carriedSettings } from '../workspace/carried-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { bodyOf } from './body.ts';
import type { Forgetting } from './forgetting.ts';
import { json } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/settings/files`: the settings as files that can lie in git (core/app/settings-files.ts). */
export function settingsFileRoutes(
  workspace: Workspace,
  forget: Forgetting,
  readBody: Answer,
): readonly TableRoute[] {
  const settings = carriedSettings(workspace, forget);
  const files = json(async () => ({ files: await settings.files() }) satisfies SettingsFiles);
  const takeOver = json((request) => {
    const sent = bodyOf(request, 'Settings', SettingsImport, {
      text: 'Send files, an array of objects with path and text, and dryRun, true or false.',
    });
    return settings.takeOver(sent.files, sent.dryRun);
  });
  return [
    { method: 'GET', path: '/app/settings/files', answer: files },
    { method: 'POST', path: '/app/settings/files', readBody, answer: takeOver },
  ];
}
