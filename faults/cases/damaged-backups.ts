/** Backups after damage: damaged backups, backups of a damaged store, and a folder without its records. */
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { Backup, BackupList } from '../../core/app/backups.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { Random } from '../../server/demo/random.ts';
import { folderExitCodes } from '../../server/sqlite/data-folder-error.ts';
import { LaunchError } from '../../bench/launch.ts';
import { flipBit, pickOffsetInText } from '../bits.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import type { Ledger } from '../ledger.ts';
import { createSampleStore } from '../sample-store.ts';
import { send, startServer, type FaultServer } from '../server.ts';

const rounds = { full: 40, short: 4 } as const;
const versions = 60;

/** One bit of a backup is flipped. */
export const backupRotten: FaultCase = {
  name: 'backup-rotten',
  claim:
    'A backup with a text in which one bit has changed is not restored, neither by a running server nor on the command line. The response names the text and the next intact backup, which can be restored. The records stay unchanged until then.',
  parallel: true,
  long: true,
  run: backupRottenRun,
};

async function backupRottenRun({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const random = new Random(seed, 0, 22);
  const data = join(folder, 'data');
  const ledger = await createSampleStore(data, versions, seed);
  const keys = [...ledger.acknowledged.keys()];
  const server = await startServer(data);
  const goodBackup = await createBackupName(server);
  for (let round = 0; round < rounds[runLength] / 2; round += 1) {
    const { rottenBackup, key } = await createRottenBackup(
      server,
      data,
      ledger,
      keys[round % keys.length] ?? '',
      random,
    );
    const response = await send(server, 'POST', `/app/backups/${rottenBackup}/restore`, '{}');
    expectNextOffered(response.status === 409, response.text, key, goodBackup);
    await expectSame(server, ledger);
    tally.add('rotten backups refused by the server', 1);
    await rm(join(data, 'backups', rottenBackup));
  }
  expectThat(
    (await send(server, 'POST', `/app/backups/${goodBackup}/restore`, '{}')).status === 200,
    'no good restore',
  );
  await server.stop();
  for (let round = 0; round < rounds[runLength] / 2; round += 1) {
    const backupResult = await runCommand(['backup', '--data', data]);
    const rottenPath = backupResult.stdout.trim();
    const key = await damageText(rottenPath, ledger, keys[round % keys.length] ?? '', random);
    const { code, stderr } = await runCommand(['restore', '--data', data, rottenPath]);
    expectNextOffered(code === folderExitCodes['rotten-backup'], stderr, key, '-asked.db');
    tally.add('rotten backups refused on the command line', 1);
    await rm(rottenPath);
  }
  expectThat(
    (await runCommand(['restore', '--data', data, goodBackup])).code === 0,
    'no good restore on the command line',
  );
  const restartedServer = await startServer(data);
  await expectSame(restartedServer, ledger);
  tally.add('texts as they were behind good restores', ledger.acknowledged.size);
  await restartedServer.kill();
  return { result: 'passed', figures: tally.figures };
}

async function createRottenBackup(
  server: FaultServer,
  data: string,
  ledger: Ledger,
  key: string,
  random: Random,
) {
  const backupName = await createBackupName(server);
  return {
    rottenBackup: backupName,
    key: await damageText(join(data, 'backups', backupName), ledger, key, random),
  };
}

/** Flips a bit in the text of a version. Returns the key of the version. */
async function damageText(path: string, ledger: Ledger, key: string, random: Random): Promise<string> {
  const bytes = await readFile(path);
  const offset = pickOffsetInText(bytes, ledger.acknowledged.get(key) ?? '', random);
  if (offset === undefined) throw new FaultError(`The text of ${key} is not in ${path}`);
  flipBit(bytes, offset, random);
  await writeFile(path, bytes);
  return key;
}

function expectNextOffered(wasRefused: boolean, sentence: string, key: string, nextBackup: string): void {
  const [type, id, , version] = key.split('/');
  expectThat(wasRefused, `a rotten backup was restored: ${sentence}`);
  expectThat(sentence.includes(`${type}/${id}, version ${version}`), `the text is not named: ${sentence}`);
  expectThat(
    /Use .*/.exec(sentence)?.[0].includes(nextBackup) ?? false,
    `no intact one is offered: ${sentence}`,
  );
}

/** One bit of a stored text is flipped, and backups continue. */
export const backupNamesDamage: FaultCase = {
  name: 'backup-names-damage',
  claim:
    'A store with a damaged text is backed up, and the response, the list and the command line name the text. The latest backup with an intact copy of the text is retained, however many follow; the others are pruned. A backup that lists its damage can be restored.',
  parallel: true,
  run: backupNamesDamageRun,
};

const laterBackups = { full: 40, short: 12 } as const;

async function backupNamesDamageRun({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const random = new Random(seed, 0, 23);
  const data = join(folder, 'data');
  const ledger = await createSampleStore(data, versions, seed);
  const firstServer = await startServer(data);
  const intactBackup = await createBackupName(firstServer);
  await firstServer.stop();
  const key = [...ledger.acknowledged.keys()][0] ?? '';
  await damageText(join(data, 'records.db'), ledger, key, random);

  const server = await startServer(data);
  for (let round = 0; round < laterBackups[runLength]; round += 1)
    expectDamage(await createBackup(server), key);
  // The previous session has left a copy of another kind.
  const backups = (await fetchBackups(server)).backups.filter(({ kind }) => kind === 'asked');
  tally.add('backups made behind the damage', laterBackups[runLength]);
  tally.add('backups left', backups.length);
  expectThat(backups.length === 11, `${backups.length} backups are left`);
  expectThat(backups.at(-1)?.name === intactBackup, 'the backup that holds the text whole is gone');
  expectDamage(backups[0], key);
  const restoreResponse = await send(server, 'POST', `/app/backups/${backups[0]?.name ?? ''}/restore`, '{}');
  expectThat(
    restoreResponse.status === 200,
    `a backup that names its damage was answered ${restoreResponse.status}`,
  );
  await server.stop();
  const { code, stderr } = await runCommand(['backup', '--data', data]);
  expectThat(code === 0 && /, version \d+ is damaged/.test(stderr), `the command line says ${stderr}`);
  expectThat(
    (await readdir(join(data, 'backups'))).includes(intactBackup),
    'the command line thinned the whole one',
  );
  const restoreResult = await runCommand(['restore', '--data', data, intactBackup]);
  expectThat(restoreResult.code === 0, restoreResult.stderr);
  const restartedServer = await startServer(data);
  await expectSame(restartedServer, ledger);
  tally.add('texts whole again', ledger.acknowledged.size);
  await restartedServer.kill();
  return { result: 'passed', figures: tally.figures };
}

function expectDamage(backup: Backup | undefined, key: string): void {
  const [type, id, , version] = key.split('/');
  const [damagedText, ...otherTexts] = backup?.compared?.damaged ?? [];
  const namedKey = damagedText && `${damagedText.type}/${damagedText.id}/${damagedText.version}`;
  expectThat(
    otherTexts.length === 0 && namedKey === `${type}/${id}/${version}`,
    `a backup names ${namedKey ?? 'nothing'}`,
  );
}

/** The records are deleted, but not their backups. */
export const fileMissing: FaultCase = {
  name: 'file-missing',
  claim:
    'If records.db is missing next to backups or files that a restore replaced, the server does not start with an empty clinic. It stops with an error message that names the latest backup and the options, and with a specific exit code. A restore brings all records back; --start-empty starts a new clinic and leaves the backups.',
  parallel: true,
  run: fileMissingRun,
};

async function fileMissingRun({ folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const data = join(folder, 'data');
  const ledger = await createSampleStore(data, versions, seed);
  const server = await startServer(data);
  const backup = await createBackupName(server);
  await server.kill();
  await removeRecords(data);
  await expectStopped(data, backup);
  for (const command of ['backup', 'token list', 'restore']) {
    const { code } = await runCommand([...command.split(' '), '--data', data]);
    if (command === 'backup') expectThat(code === folderExitCodes.missing, `backup ended with ${code}`);
  }
  const restoredServer = await startServer(data);
  await expectSame(restoredServer, ledger);
  tally.add('records there behind the restore', ledger.acknowledged.size);
  await restoredServer.stop();
  await removeRecords(data);
  await expectStopped(data, backup);
  tally.add('starts that stopped', 2);
  const emptyServer = await startServer(data, { flags: ['--start-empty'] });
  for (const key of ledger.acknowledged.keys()) {
    const { status } = await send(emptyServer, 'GET', `${fhirPath}/${key}`);
    expectThat(status === 404, `an empty clinic answers ${key} with ${status}`);
  }
  expectThat(
    (await fetchBackups(emptyServer)).backups.some(({ name }) => name === backup),
    'the backup is gone',
  );
  await emptyServer.kill();
  return { result: 'passed', figures: tally.figures };
}

async function removeRecords(data: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-open'])
    await rm(join(data, `records.db${suffix}`), { force: true });
}

async function expectStopped(data: string, backup: string): Promise<void> {
  const fault = await startServer(data).then(
    async (server) => {
      await server.kill();
      throw new FaultError('A server started without its records');
    },
    (error: unknown) => error,
  );
  if (!(fault instanceof LaunchError)) throw fault;
  expectThat(
    fault.code === folderExitCodes.missing,
    `the start ended with code ${fault.code}: ${fault.stderr}`,
  );
  const isExplained = [backup, '--start-empty', 'chartkeeper restore'].every((word) =>
    fault.stderr.includes(word),
  );
  expectThat(isExplained, `the start says ${fault.stderr}`);
  expectThat(!(await readdir(data)).includes('records.db'), 'a file was made');
}

function expectThat(condition: boolean, reason: string): void {
  if (!condition) throw new FaultError(reason);
}

async function createBackup(server: FaultServer): Promise<Backup> {
  const response = await send(server, 'POST', '/app/backups', '{}');
  const backup: unknown = JSON.parse(response.text);
  if (response.status === 201 && matchesSchema(Backup, backup)) return backup;
  throw new FaultError(`A backup was answered ${response.status}: ${response.text}`);
}

async function createBackupName(server: FaultServer): Promise<string> {
  return (await createBackup(server)).name;
}

async function fetchBackups(server: FaultServer): Promise<BackupList> {
  const list: unknown = JSON.parse((await send(server, 'GET', '/app/backups')).text);
  if (matchesSchema(BackupList, list)) return list;
  throw new FaultError('The list of backups is none');
}

/** Asserts that each version is returned as acknowledged. */
async function expectSame(server: FaultServer, ledger: Ledger): Promise<void> {
  for (const [key, text] of ledger.acknowledged) {
    const response = await send(server, 'GET', `${fhirPath}/${key}`);
    if (response.status !== 200 || response.text !== text)
      throw new FaultError(`${key} is answered ${response.status}`);
  }
}
