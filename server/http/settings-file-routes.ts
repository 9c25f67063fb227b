import { SettingsImport, type SettingsFiles } from '../../core/app/settings-files.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { carriedSettings } from '../workspace/carried-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { jsonBody } from './body.ts';
import type { Forgetting } from './forgetting.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/settings/files`: the settings as files that can lie in git (core/app/settings-files.ts). */
export function settingsFileRoutes(
  workspace: Workspace,
  forget: Forgetting,
  readBody: Answer,
): readonly TableRoute[] {
  const settings = carriedSettings(workspace, forget);
  const files: Answer = async (_request, response) => {
    const answer: SettingsFiles = { files: await settings.files() };
    sendJson(response, 200, JSON.stringify(answer));
  };
  const takeOver: Answer = async (request, response) => {
    const sent = jsonBody(request, 'Settings');
    if (!is(SettingsImport, sent)) {
      throw new FhirError('value', {
        text: 'Send files, an array of objects with path and text, and dryRun, true or false.',
      });
    }
    sendJson(response, 200, JSON.stringify(await settings.takeOver(sent.files, sent.dryRun)));
  };
  return [
    { method: 'GET', path: '/app/settings/files', answer: files },
    { method: 'POST', path: '/app/settings/files', readBody, answer: takeOver },
  ];
}
