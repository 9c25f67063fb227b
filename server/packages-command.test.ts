import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { profileUrl, tgzOf } from './packages/testing/make-package.ts';
import { runCli } from './testing/run-cli.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chartkeeper-packages-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const cli = (...parameters: string[]) => runCli(['packages', ...parameters, '--data', join(root, 'data')]);

test('packages are added, listed with what they need, and removed', async () => {
  const [sound, broken] = [join(root, 'sound.tgz'), join(root, 'broken.tgz')];
  writeFileSync(sound, await tgzOf());
  writeFileSync(broken, 'hello');
  const added = await cli('add', sound, broken);
  expect([added.code, added.stderr]).toEqual([1, '']);
  expect(added.stdout).toContain('ward.example.plans 1.2.0 added, as ward.example.plans-1.2.0.tgz.');
  expect(added.stdout).toContain(`${broken}: refused. The file is no sound tar archive`);
  const { stdout } = await cli('list');
  expect(stdout.split('\n')).toEqual([
    'ward.example.plans-1.2.0.tgz  Plans of the ward',
    `  profile of CarePlan: ${profileUrl}|1.2.0`,
    '  needs hl7.terminology.r4 5.0.0, which is not here',
    '',
  ]);
  expect(await cli('remove', 'ward.example.plans-1.2.0.tgz')).toMatchObject({ code: 0 });
  expect((await cli('remove', 'ward.example.plans-1.2.0.tgz')).stderr).toContain('There is no package');
  expect((await cli('list')).stdout).toBe('There are no packages.\n');
});
