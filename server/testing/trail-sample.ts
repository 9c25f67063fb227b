import { provenanceOf } from '../../core/api/provenance.ts';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { olderFile } from './trail-changes.ts';
import { carePlan } from './test-server.ts';

/** Sends a request; a body goes as JSON. */
type Send = (
  method: string,
  path: string,
  body?: string,
  headers?: Record<string, string>,
) => Promise<{ readonly text: string }>;

const plans = '/fhir-r4/v1/CarePlan';
const statusPatch = '[{"op":"replace","path":"/status","value":"on-hold"}]';

/**
 * Fills a new store through its server, so that every change of `trailChanges` is detectable: ten records, a copy of the
 * file, a second version of the first record, reads, and another record.
 */
export async function fillForChanges(folder: string, send: Send): Promise<void> {
  const stringOf = async (name: string, answer: ReturnType<Send>) =>
    String((JSON.parse((await answer).text) as Record<string, unknown>)[name]);
  const create = (patient: number) => stringOf('id', send('POST', plans, carePlan(`Patient/${patient}`)));
  const ids: string[] = [];
  for (let patient = 0; patient < 10; patient += 1) ids.push(await create(patient));
  const backup = await stringOf('name', send('POST', '/app/backups'));
  copyFileSync(join(folder, 'backups', backup), join(folder, olderFile));
  const patched = {
    'Content-Type': 'application/json-patch+json',
    'X-Provenance': provenanceOf('It rests.', new Date(0)),
  };
  await send('PATCH', `${plans}/${ids[0]}`, statusPatch, patched);
  for (const id of ids) await send('GET', `${plans}/${id}`);
  // Listing the audit log writes its pending entries first.
  await send('GET', '/app/audit');
  await create(10);
}
