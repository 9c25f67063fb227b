/**
 * PostgreSQL for tests: one cluster for a run of tests, started by the first that asks, and a database for each test file.
 * It lies where tests keep their files and promises no durability. Tests say "not run" where its programs are not
 * installed (`CHARTKEEPER_POSTGRES` names their folder, else Debian's places are looked at).
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../store/postgres/migrate.ts';

const debian = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one));
  const folders = newest.map((version) => join(debian, version, 'bin'));
  return [process.env.CHARTKEEPER_POSTGRES, ...folders].find(
    (folder) => folder !== undefined && existsSync(join(folder, 'initdb')),
  );
}

/** Where the one cluster of a run of tests lies; set by the set-up of the tests. */
const runVariable = 'CHARTKEEPER_TEST_CLUSTER';

/** To be called once, before any test; answers what ends the cluster, if one was started. */
export function planCluster(): () => void {
  const parent = mkdtempSync(join(tmpdir(), 'chartkeeper-postgres-'));
  const folder = join(parent, 'cluster');
  process.env[runVariable] = folder;
  return () => {
    stopCluster(folder);
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Who a cluster belongs to: PostgreSQL refuses to run as root, its own user does then. */
export function clusterOwner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is no user postgres.');
  return { uid: Number(uid), gid: Number(gid) };
}

function run(program: string, given: readonly string[]): void {
  const { status, stderr, stdout, error } = spawnSync(program, given, {
    ...clusterOwner(),
    cwd: '/',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${basename(program)} failed: ${error?.message ?? stderr + stdout}`);
}

/** Settings of a cluster that is thrown away. */
const careless = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
  listen_addresses: '127.0.0.1',
  autovacuum: 'off',
};

export interface ClusterOptions {
  /** Settings of the server, beside those of a cluster that is thrown away. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the folder is made and before the server starts. */
  readonly prepare?: (folder: string) => void;
}

/** Makes and starts a cluster in a folder that is not there yet; answers its port on 127.0.0.1. */
export async function startCluster(
  folder: string,
  { settings = {}, prepare = () => undefined }: ClusterOptions = {},
): Promise<number> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  const { uid, gid } = clusterOwner();
  openTheWay(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const made = ['--auth=trust', '--username=admin', '--encoding=UTF8', '--locale=C', '--no-sync'];
  run(join(programs, 'initdb'), ['-D', folder, ...made]);
  prepare(folder);
  return beginCluster(folder, settings);
}

/** Starts a cluster that is there, with settings beside those of one that is thrown away; answers its port on 127.0.0.1. */
export async function beginCluster(
  folder: string,
  settings: ClusterOptions['settings'] = {},
  given?: number,
): Promise<number> {
  const port = given ?? (await freePort());
  const all = { ...careless, unix_socket_directories: folder, ...settings, port: String(port) };
  const options = Object.entries(all)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  const log = join(folder, 'log');
  run(join(postgresPrograms() ?? '', 'pg_ctl'), ['-D', folder, '-w', '-l', log, '-o', options, 'start']);
  return port;
}

/**
 * Copies a running cluster into a folder that is not there yet, and starts the copy as one that follows it; answers its port, a
 * free one where none is given.
 */
export async function startStandby(
  folder: string,
  primary: number,
  { settings = {}, port }: Pick<ClusterOptions, 'settings'> & { readonly port?: number } = {},
): Promise<number> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  const { uid, gid } = clusterOwner();
  mkdirSync(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const from = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'admin'];
  run(join(programs, 'pg_basebackup'), [...from, '-D', folder, '-R', '-X', 'stream', '-c', 'fast']);
  const own = port ?? (await freePort());
  return beginCluster(folder, settings, own);
}

/** Makes a cluster whose standby took over one that can follow it; it is not to run. What it alone has is gone. */
export function rewind(folder: string, primary: number): void {
  const source = `host=127.0.0.1 port=${primary} user=admin dbname=postgres`;
  const given = ['--target-pgdata', folder, '--source-server', source, '--write-recovery-conf', '--no-sync'];
  run(join(postgresPrograms() ?? '', 'pg_rewind'), given);
}

/** Ends a cluster as a power cut ends its machine's: `kill -9` of all its processes. */
export function killCluster(folder: string): void {
  const file = join(folder, 'postmaster.pid');
  const [pid = ''] = readFileSync(file, 'utf8').split('\n');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const one of [pid, ...children]) {
    try {
      process.kill(Number(one), 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
  rmSync(file);
}

/** Has a standby take over. */
export function promote(folder: string): void {
  const programs = postgresPrograms() ?? '';
  run(join(programs, 'pg_ctl'), ['-D', folder, '-w', 'promote']);
}

/** Whether a cluster runs. */
export function isRunning(folder: string): boolean {
  const status = [join(postgresPrograms() ?? '', 'pg_ctl'), '-D', folder, 'status'] as const;
  return spawnSync(status[0], status.slice(1), { ...clusterOwner(), cwd: '/' }).status === 0;
}

/** Ends a cluster, at once where nobody wants it again; nothing where there is none. */
export function stopCluster(folder: string, mode: 'immediate' | 'fast' = 'immediate'): void {
  const programs = postgresPrograms();
  if (programs === undefined || !existsSync(join(folder, 'postmaster.pid'))) return;
  run(join(programs, 'pg_ctl'), ['-D', folder, '-w', '-t', '600', '-m', mode, 'stop']);
}

/** Its own user has to come by the folder of the tests, which only ours may list. */
function openTheWay(folder: string): void {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const { mode } = statSync(at);
    if ((mode & 0o011) !== 0o011) chmodSync(at, (mode & 0o777) | 0o011);
  }
}

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The port of the run's cluster, which is started where it was not yet: by one process, while others wait. */
async function clusterOfRun(): Promise<number> {
  const folder = process.env[runVariable];
  if (folder === undefined) throw new Error('The set-up of the tests plans the cluster.');
  const ready = `${folder}-ready`;
  try {
    mkdirSync(`${folder}-lock`);
  } catch {
    while (!existsSync(ready)) await setTimeout(20);
    return Number(readFileSync(ready, 'utf8'));
  }
  let port = 0;
  try {
    port = await startCluster(folder);
    await asAdmin(port, 'postgres', (admin) =>
      admin.query('CREATE ROLE keeper LOGIN CREATEDB; CREATE ROLE server LOGIN'),
    );
  } finally {
    writeFileSync(`${ready}.new`, String(port));
    renameSync(`${ready}.new`, ready);
  }
  return port;
}

/** Does work in a database of a cluster as one who may do everything. */
export async function asAdmin<Result>(
  port: number,
  database: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ host: '127.0.0.1', port, user: 'admin', database });
  // A cluster may be killed meanwhile: the statement that is under way tells.
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end().catch(() => undefined);
  }
}

/** A database of a test file's own. */
export interface TestDatabase {
  /** Addresses for the role that owns it, and for the one that a server has. */
  readonly keeper: string;
  readonly server: string;
  /** Does work as one who may do everything. */
  readonly admin: <Result>(work: (admin: pg.Client) => Promise<Result>) => Promise<Result>;
  /** Another with the same in it; nobody may be connected to this one. */
  copy(): Promise<TestDatabase>;
  remove(): Promise<void>;
}

let made = 0;

/** An empty database; undefined where PostgreSQL is not installed. */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  return postgresPrograms() === undefined ? undefined : makeDatabase(await clusterOfRun(), 'template1');
}

async function makeDatabase(port: number, template: string): Promise<TestDatabase> {
  made += 1;
  const name = `t_${process.pid}_${made}`;
  const text = `CREATE DATABASE ${name} OWNER keeper TEMPLATE ${template}`;
  await asAdmin(port, 'postgres', (admin) => admin.query(text));
  const address = (role: string) => `postgres://${role}@127.0.0.1:${port}/${name}`;
  return {
    keeper: address('keeper'),
    server: address('server'),
    admin: (work) => asAdmin(port, name, work),
    copy: () => makeDatabase(port, name),
    async remove() {
      await asAdmin(port, 'postgres', (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** A database with the tables of a store. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  if (!database) throw new Error('PostgreSQL is not installed.');
  await migrate(database.keeper, 'server');
  return database;
}

/** Takes everything out of a store's tables; numbers that were given out are not given again. */
export async function emptied({ admin }: TestDatabase): Promise<void> {
  await admin(async (client) => {
    await client.query(`SET session_replication_role = replica; SET search_path = chartkeeper`);
    // One by one as rows: what was written is little, and new files for each table take longer.
    await client.query(
      `DO $$ DECLARE name text; BEGIN
         FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'chartkeeper'
           AND tablename NOT IN ('migration', 'numbering', 'companion_stamp') LOOP
           EXECUTE format('DELETE FROM %I', name);
         END LOOP; END $$`,
    );
  });
}
