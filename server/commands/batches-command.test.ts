import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-batches-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const cli = (...parameters: string[]) => runCli([...parameters, '--data', dataDir]);

test('lists the batch of an import and undoes it', async () => {
  const file = join(dataDir, 'ward-7.json');
  await writeFile(
    file,
    '{"resourceType":"CarePlan","id":"a","status":"active","intent":"plan","subject":{"reference":"Patient/p"}}',
  );
  expect((await cli('import', '--keep-ids', file)).code).toBe(0);
  const list = await cli('batches', 'list');
  const [heading, line = ''] = list.stdout.split('\n');
  expect(heading).toMatch(/^ID +TIME +WHO +STATE +STORED +NAME$/);
  expect(line).toMatch(/ done +1 +ward-7\.json$/);
  const [id = ''] = line.split(' ');

  const dryRun = await cli('batches', 'undo', id, '--dry-run');
  expect(dryRun.stdout).toMatch(/^1 record would be removed, 0 put back, 0 changed since, /);
  const undo = await cli('batches', 'undo', id, '--reason', 'The wrong ward.');
  expect([undo.code, undo.stderr]).toEqual([0, '']);
  expect(undo.stdout).toMatch(/^1 record removed, /);
  expect((await cli('batches', 'list')).stdout).toMatch(/ undone +1 +ward-7\.json/);
  expect(await cli('batches', 'undo', id)).toMatchObject({
    code: 1,
    stderr: 'This import was undone already.\n',
  });
  expect((await cli('verify')).code).toBe(0);
  // The same file can be imported again.
  expect((await cli('import', '--keep-ids', file)).stdout).toContain('1 stored');
  expect((await cli('verify')).code).toBe(0);
});

test('names an unknown batch', async () => {
  const { code, stderr } = await cli('batches', 'undo', 'none');
  expect([code, stderr]).toEqual([1, 'There is no import batch with this ID. Run `batches list`.\n']);
});
