/** What backups are worth after damage: rotten ones, those of a damaged store, and a folder without its records. */
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { Backup, BackupList } from '../../core/app/backups.ts';
import { is } from '../../core/json/shape.ts';
import { Random } from '../../server/demo/random.ts';
import { folderFaults } from '../../server/store/sqlite/data-folder-error.ts';
import { LaunchFault } from '../../bench/launch.ts';
import { flip, placeInside } from '../bits.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import type { Ledger } from '../ledger.ts';
import { makeSample } from '../sample-store.ts';
import { send, startServer, type FaultServer } from '../server.ts';

const rounds = { full: 40, short: 4 } as const;
const versions = 60;

/** One bit of a backup is another. */
export const backupRotten: FaultCase = {
  name: 'backup-rotten',
  claim:
    'A backup in a text of which one bit has changed since it was made is not restored, by a running server or on the command line: the answer names the text and the next good backup, which is then restored; the records stay as they were until then.',
  beside: true,
  long: true,
  run: backupRottenRun,
};

async function backupRottenRun({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const random = new Random(seed, 0, 22);
  const data = join(folder, 'data');
  const ledger = await makeSample(data, versions, seed);
  const keys = [...ledger.acknowledged.keys()];
  const server = await startServer(data);
  const good = await backUp(server);
  for (let round = 0; round < rounds[extent] / 2; round += 1) {
    const { rotten, key } = await makeRotten(server, data, ledger, keys[round % keys.length] ?? '', random);
    const refused = await send(server, 'POST', `/app/backups/${rotten}/restore`, '{}');
    expectNamed(refused.status === 409, refused.text, key, good);
    await expectSame(server, ledger);
    tally.add('rotten backups refused by the server', 1);
    await rm(join(data, 'backups', rotten));
  }
  expectThat(
    (await send(server, 'POST', `/app/backups/${good}/restore`, '{}')).status === 200,
    'no good restore',
  );
  await server.stop();
  for (let round = 0; round < rounds[extent] / 2; round += 1) {
    const made = await runCommand(['backup', '--data', data]);
    const rotten = made.stdout.trim();
    const key = await rot(rotten, ledger, keys[round % keys.length] ?? '', random);
    const { code, stderr } = await runCommand(['restore', '--data', data, rotten]);
    expectNamed(code === folderFaults['rotten-backup'], stderr, key, '-asked.db');
    tally.add('rotten backups refused on the command line', 1);
    await rm(rotten);
  }
  expectThat(
    (await runCommand(['restore', '--data', data, good])).code === 0,
    'no good restore on the command line',
  );
  const again = await startServer(data);
  await expectSame(again, ledger);
  tally.add('texts as they were behind good restores', ledger.acknowledged.size);
  await again.kill();
  return { result: 'passed', figures: tally.figures };
}

async function makeRotten(server: FaultServer, data: string, ledger: Ledger, key: string, random: Random) {
  const rotten = await backUp(server);
  return { rotten, key: await rot(join(data, 'backups', rotten), ledger, key, random) };
}

/** Turns a bit within the text of a version; answers its key. */
async function rot(path: string, ledger: Ledger, key: string, random: Random): Promise<string> {
  const bytes = await readFile(path);
  const at = placeInside(bytes, ledger.acknowledged.get(key) ?? '', random);
  if (at === undefined) throw new FaultError(`The text of ${key} is not in ${path}`);
  flip(bytes, at, random);
  await writeFile(path, bytes);
  return key;
}

function expectNamed(refused: boolean, sentence: string, key: string, next: string): void {
  const [type, id, , version] = key.split('/');
  expectThat(refused, `a rotten backup was restored: ${sentence}`);
  expectThat(sentence.includes(`${type}/${id}, version ${version}`), `the text is not named: ${sentence}`);
  expectThat(
    sentence.includes('next good one') && sentence.includes(next),
    `no good one is offered: ${sentence}`,
  );
}

/** One bit of a stored text is another, and backups go on being made. */
export const backupNamesDamage: FaultCase = {
  name: 'backup-names-damage',
  claim:
    'A store with a damaged text is backed up: the answer, the list and the command line name it. The newest backup that holds the text whole stays, however many are made after it; all others are thinned. A backup that names its damage is restored.',
  beside: true,
  run: backupNamesDamageRun,
};

const later = { full: 40, short: 12 } as const;

async function backupNamesDamageRun({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const random = new Random(seed, 0, 23);
  const data = join(folder, 'data');
  const ledger = await makeSample(data, versions, seed);
  const first = await startServer(data);
  const whole = await backUp(first);
  await first.stop();
  const key = [...ledger.acknowledged.keys()][0] ?? '';
  await rot(join(data, 'records.db'), ledger, key, random);

  const server = await startServer(data);
  for (let one = 0; one < later[extent]; one += 1) expectDamage(await made(server), key);
  // Beside what was asked for, the session before has left a copy of its own.
  const backups = (await listed(server)).backups.filter(({ kind }) => kind === 'asked');
  tally.add('backups made behind the damage', later[extent]);
  tally.add('backups left', backups.length);
  expectThat(backups.length === 11, `${backups.length} backups are left`);
  expectThat(backups.at(-1)?.name === whole, 'the backup that holds the text whole is gone');
  expectDamage(backups[0], key);
  const back = await send(server, 'POST', `/app/backups/${backups[0]?.name ?? ''}/restore`, '{}');
  expectThat(back.status === 200, `a backup that names its damage was answered ${back.status}`);
  await server.stop();
  const { code, stderr } = await runCommand(['backup', '--data', data]);
  expectThat(code === 0 && /, version \d+ is damaged/.test(stderr), `the command line says ${stderr}`);
  expectThat(
    (await readdir(join(data, 'backups'))).includes(whole),
    'the command line thinned the whole one',
  );
  const restored = await runCommand(['restore', '--data', data, whole]);
  expectThat(restored.code === 0, restored.stderr);
  const again = await startServer(data);
  await expectSame(again, ledger);
  tally.add('texts whole again', ledger.acknowledged.size);
  await again.kill();
  return { result: 'passed', figures: tally.figures };
}

function expectDamage(backup: Backup | undefined, key: string): void {
  const [type, id, , version] = key.split('/');
  const [damaged, ...others] = backup?.compared?.damaged ?? [];
  const named = damaged && `${damaged.type}/${damaged.id}/${damaged.version}`;
  expectThat(
    others.length === 0 && named === `${type}/${id}/${version}`,
    `a backup names ${named ?? 'nothing'}`,
  );
}

/** The records are deleted beside what belongs to them. */
export const fileMissing: FaultCase = {
  name: 'file-missing',
  claim:
    'A start beside backups, or what a restore replaced, whose records.db is gone makes no empty clinic: it stops with a sentence that names the newest backup and the ways on, and an exit code of its own. The restore brings all back; --start-empty begins anew and leaves the backups.',
  beside: true,
  run: fileMissingRun,
};

async function fileMissingRun({ folder, seed, tally }: FaultContext): Promise<Finding> {
  const data = join(folder, 'data');
  const ledger = await makeSample(data, versions, seed);
  const server = await startServer(data);
  const backup = await backUp(server);
  await server.kill();
  await removeRecords(data);
  await expectStopped(data, backup);
  for (const command of ['backup', 'token list', 'restore']) {
    const { code } = await runCommand([...command.split(' '), '--data', data]);
    if (command === 'backup') expectThat(code === folderFaults.missing, `backup ended with ${code}`);
  }
  const restored = await startServer(data);
  await expectSame(restored, ledger);
  tally.add('records there behind the restore', ledger.acknowledged.size);
  await restored.stop();
  await removeRecords(data);
  await expectStopped(data, backup);
  tally.add('starts that stopped', 2);
  const empty = await startServer(data, { flags: ['--start-empty'] });
  for (const key of ledger.acknowledged.keys()) {
    const { status } = await send(empty, 'GET', `${fhirPath}/${key}`);
    expectThat(status === 404, `an empty clinic answers ${key} with ${status}`);
  }
  expectThat(
    (await listed(empty)).backups.some(({ name }) => name === backup),
    'the backup is gone',
  );
  await empty.kill();
  return { result: 'passed', figures: tally.figures };
}

async function removeRecords(data: string): Promise<void> {
  for (const end of ['', '-wal', '-shm', '-open']) await rm(join(data, `records.db${end}`), { force: true });
}

async function expectStopped(data: string, backup: string): Promise<void> {
  const fault = await startServer(data).then(
    async (server) => {
      await server.kill();
      throw new FaultError('A server started without its records');
    },
    (error: unknown) => error,
  );
  if (!(fault instanceof LaunchFault)) throw fault;
  expectThat(fault.code === folderFaults.missing, `the start ended with code ${fault.code}: ${fault.said}`);
  const told = [backup, '--start-empty', 'chartkeeper restore'].every((word) => fault.said.includes(word));
  expectThat(told, `the start says ${fault.said}`);
  expectThat(!(await readdir(data)).includes('records.db'), 'a file was made');
}

function expectThat(holds: boolean, reason: string): void {
  if (!holds) throw new FaultError(reason);
}

async function made(server: FaultServer): Promise<Backup> {
  const answer = await send(server, 'POST', '/app/backups', '{}');
  const backup: unknown = JSON.parse(answer.text);
  if (answer.status === 201 && is(Backup, backup)) return backup;
  throw new FaultError(`A backup was answered ${answer.status}: ${answer.text}`);
}

async function backUp(server: FaultServer): Promise<string> {
  return (await made(server)).name;
}

async function listed(server: FaultServer): Promise<BackupList> {
  const list: unknown = JSON.parse((await send(server, 'GET', '/app/backups')).text);
  if (is(BackupList, list)) return list;
  throw new FaultError('The list of backups is none');
}

/** Each version is answered as it was acknowledged. */
async function expectSame(server: FaultServer, ledger: Ledger): Promise<void> {
  for (const [key, text] of ledger.acknowledged) {
    const answer = await send(server, 'GET', `${fhirPath}/${key}`);
    if (answer.status !== 200 || answer.text !== text)
      throw new FaultError(`${key} is answered ${answer.status}`);
  }
}
