/** Imports and exports records of each type, as a file and over HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { sampleOf } from '../../core/types/testing/samples.ts';
import { runCli } from '../testing/run-cli.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-types-'));
});
afterEach(async () => {
  await server.remove();
  await rm(folder, { recursive: true });
});

test.each(resourceTypes)('exports and imports %s unchanged', async (type) => {
  const record = sampleOf(type).summed.record;
  const lines = { 'Content-Type': 'application/x-ndjson' };
  const wrong = JSON.stringify({ ...record, subject: 'nobody' });
  const response = await server.send('POST', '/app/import', `${JSON.stringify(record)}\n${wrong}`, lines);
  const done = { stored: 1, unchanged: 0, refused: 1, skipped: 0 };
  expect(JSON.parse(response.text.trim().split('\n').at(-1) ?? '')).toMatchObject({ done });
  expect((await server.send('GET', '/app/overview')).json.counts[type]).toBe(1);

  const { text } = await server.send('GET', `/app/export?type=${type}&subject=sample`);
  const { id, meta, ...content }: Json = JSON.parse(text);
  expect(content).toEqual(record);
  const file = join(folder, 'export.ndjson');
  await writeFile(file, text);
  const data = join(folder, 'data');
  expect(await runCli(['import', '--data', data, '--keep-ids', file])).toMatchObject({
    code: 0,
    stdout: '1 stored, 0 unchanged, 0 refused.\n',
  });
  const secondImport = await runCli(['import', '--data', data, '--keep-ids', file]);
  expect(secondImport.stdout).toBe('0 stored, 1 unchanged, 0 refused.\n');
  expect([typeof id, meta.versionId]).toEqual(['string', '1']);
});
