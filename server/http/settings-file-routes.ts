import { SettingsImport, type SettingsFiles } from '../../core/app/settings-files.ts';
import { secretKinds } from '../../core/app/secret-places.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { secretKey } from '../gateway/secrets.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import { carriedSettings } from '../workspace/carried-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { jsonBody } from './body.ts';
import { kept } from './kept-secret.ts';
import { sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/settings/files`: the settings as files that can lie in git (core/app/settings-files.ts). */
export function settingsFileRoutes(
  workspace: Workspace,
  gateway: Gateway,
  remote: Pick<RemoteJudge, 'forget'>,
  readBody: Answer,
): readonly TableRoute[] {
  const settings = carriedSettings(workspace, async (id) => {
    gateway.signOut(id);
    await remote.forget(id);
    for (const kind of secretKinds) await kept(gateway.secrets.delete(secretKey(id, kind)));
  });
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
