import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { profileUrl, tgzOf } from '../packages/testing/make-package.ts';
import { commandPlaces, type TestPlace } from '../testing/command-places.ts';
import { migratedDatabase, postgresPrograms } from '../testing/postgres.ts';
import { runCli } from '../testing/run-cli.ts';
import { startSharedTestServer } from '../testing/shared-server.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chartkeeper-packages-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function writePackage(): Promise<string> {
  const path = join(root, 'sound.tgz');
  writeFileSync(path, await tgzOf());
  return path;
}

describe.each(commandPlaces.map((commandPlace) => [commandPlace.name, commandPlace] as const))(
  '%s',
  (_, kind) => {
    let place: TestPlace;
    beforeEach(async () => {
      if (!kind.lacking) place = await kind.make();
    });
    afterEach(async () => {
      if (!kind.lacking) await place.remove();
    });
    const cli = (...parameters: string[]) => runCli(['packages', ...parameters, ...place.flags]);

    test.skipIf(kind.lacking)(
      'adds packages, lists them with missing dependencies and removes them',
      async () => {
        const validPackage = await writePackage();
        const invalidPackage = join(root, 'broken.tgz');
        writeFileSync(invalidPackage, 'hello');
        const addition = await cli('add', validPackage, invalidPackage);
        expect([addition.code, addition.stderr]).toEqual([1, '']);
        expect(addition.stdout).toContain('ward.example.plans 1.2.0 added, as ward.example.plans-1.2.0.tgz.');
        expect(addition.stdout).toContain(`${invalidPackage}: refused. Not a valid tar archive`);
        expect((await cli('add', validPackage)).stdout).toContain(
          'ward.example.plans 1.2.0 already installed',
        );
        const { stdout } = await cli('list');
        expect(stdout.split('\n')).toEqual([
          'ward.example.plans-1.2.0.tgz  Plans of the ward',
          `  profile of CarePlan: ${profileUrl}|1.2.0`,
          '  needs hl7.terminology.r4 5.0.0, which is not installed',
          '',
        ]);
        expect(await cli('remove', 'ward.example.plans-1.2.0.tgz')).toMatchObject({ code: 0 });
        expect((await cli('remove', 'ward.example.plans-1.2.0.tgz')).stderr).toContain('There is no package');
        expect((await cli('list')).stdout).toBe('No packages.\n');
      },
    );
  },
);

test.skipIf(postgresPrograms() === undefined)(
  'running servers use an added package until its removal (not run without PostgreSQL)',
  async () => {
    const database = await migratedDatabase();
    const server = await startSharedTestServer(database.address);
    onTestFinished(async () => {
      await server.remove();
      await database.remove();
    });
    const listNames = async () =>
      (await server.send('GET', '/app/packages')).json.packages.map(({ file }: { file: string }) => file);
    await runCli(['packages', 'add', await writePackage(), '--store', database.address]);
    await expect.poll(listNames, { interval: 20 }).toEqual(['ward.example.plans-1.2.0.tgz']);
    await runCli(['packages', 'remove', 'ward.example.plans-1.2.0.tgz', '--store', database.address]);
    await expect.poll(listNames, { interval: 20 }).toEqual([]);
  },
);
