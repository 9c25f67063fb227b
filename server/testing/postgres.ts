/**
 * PostgreSQL for tests: one cluster for a run of tests, started on first use, and a database for each test file. Its files
 * are temporary and not durable. Tests report "not run" if its programs are missing (`CHARTKEEPER_POSTGRES` is their
 * folder; the default is the folder of Debian's packages).
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
import { migrate } from '../shared/postgres/migrate.ts';

const debian = '/usr/lib/postgresql';

/** Returns the folder of PostgreSQL's programs; undefined if it is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const latestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = latestFirst.map((version) => join(debian, version, 'bin'));
  return [process.env.CHARTKEEPER_POSTGRES, ...folders].find(
    (folder) => folder !== undefined && existsSync(join(folder, 'initdb')),
  );
}

/** Environment variable with the folder of the run's cluster; the test setup sets it. */
const runVariable = 'CHARTKEEPER_TEST_CLUSTER';

/** Plans the cluster of a run, before any test; returns a function that stops and removes it. */
export function planCluster(): () => void {
  const parent = mkdtempSync(join(tmpdir(), 'chartkeeper-postgres-'));
  const folder = join(parent, 'cluster');
  process.env[runVariable] = folder;
  return () => {
    stopCluster(folder);
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Returns the owner of a cluster. PostgreSQL does not run as root, so root uses the user postgres. */
export function clusterOwner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is no user postgres.');
  return { uid: Number(uid), gid: Number(gid) };
}

function run(program: string, parameters: readonly string[]): void {
  const { status, stderr, stdout, error } = spawnSync(program, parameters, {
    ...clusterOwner(),
    cwd: '/',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${basename(program)} failed: ${error?.message ?? stderr + stdout}`);
}

/** Settings of a disposable cluster. */
const disposableSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
  listen_addresses: '127.0.0.1',
  autovacuum: 'off',
};

export interface ClusterOptions {
  /** Server settings in addition to the settings of a disposable cluster. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with the initialized folder, before the server starts. */
  readonly prepare?: (folder: string) => void;
}

/** Creates a cluster in a new folder and starts it; returns its port on 127.0.0.1. */
export async function startCluster(
  folder: string,
  { settings = {}, prepare = () => undefined }: ClusterOptions = {},
): Promise<number> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  const { uid, gid } = clusterOwner();
  allowTraversal(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const initOptions = ['--auth=trust', '--username=admin', '--encoding=UTF8', '--locale=C', '--no-sync'];
  run(join(programs, 'initdb'), ['-D', folder, ...initOptions]);
  prepare(folder);
  return beginCluster(folder, settings);
}

/** Starts an existing cluster; returns its port on 127.0.0.1. */
export async function beginCluster(
  folder: string,
  settings: ClusterOptions['settings'] = {},
  requestedPort?: number,
): Promise<number> {
  const port = requestedPort ?? (await freePort());
  const clusterSettings = {
    ...disposableSettings,
    unix_socket_directories: folder,
    ...settings,
    port: String(port),
  };
  const options = Object.entries(clusterSettings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  const log = join(folder, 'log');
  run(join(postgresPrograms() ?? '', 'pg_ctl'), ['-D', folder, '-w', '-l', log, '-o', options, 'start']);
  return port;
}

/**
 * Copies a running cluster into a new folder, and starts the copy as its standby; returns its port. Picks a free port by
 * default.
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
  const standbyPort = port ?? (await freePort());
  return beginCluster(folder, settings, standbyPort);
}

/** Turns a stopped former primary into a standby of the new primary. Transactions that only it has are lost. */
export function rewind(folder: string, primary: number): void {
  const source = `host=127.0.0.1 port=${primary} user=admin dbname=postgres`;
  const parameters = [
    '--target-pgdata',
    folder,
    '--source-server',
    source,
    '--write-recovery-conf',
    '--no-sync',
  ];
  run(join(postgresPrograms() ?? '', 'pg_rewind'), parameters);
}

/** Kills all processes of a cluster with SIGKILL, as a power cut does. */
export function killCluster(folder: string): void {
  const file = join(folder, 'postmaster.pid');
  const [pid = ''] = readFileSync(file, 'utf8').split('\n');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const processId of [pid, ...children]) {
    try {
      process.kill(Number(processId), 'SIGKILL');
    } catch {
      // The process has exited already.
    }
  }
  rmSync(file);
}

/** Promotes a standby to primary. */
export function promote(folder: string): void {
  const programs = postgresPrograms() ?? '';
  run(join(programs, 'pg_ctl'), ['-D', folder, '-w', 'promote']);
}

/** Returns true if a cluster is running. */
export function isRunning(folder: string): boolean {
  const status = [join(postgresPrograms() ?? '', 'pg_ctl'), '-D', folder, 'status'] as const;
  return spawnSync(status[0], status.slice(1), { ...clusterOwner(), cwd: '/' }).status === 0;
}

/** Stops a cluster; does nothing if it is not running. */
export function stopCluster(folder: string, mode: 'immediate' | 'fast' = 'immediate'): void {
  const programs = postgresPrograms();
  if (programs === undefined || !existsSync(join(folder, 'postmaster.pid'))) return;
  run(join(programs, 'pg_ctl'), ['-D', folder, '-w', '-t', '600', '-m', mode, 'stop']);
}

/** Lets PostgreSQL's user traverse the folder of the tests and its parents. */
function allowTraversal(folder: string): void {
  for (let current = folder; current !== dirname(current); current = dirname(current)) {
    const { mode } = statSync(current);
    if ((mode & 0o011) !== 0o011) chmodSync(current, (mode & 0o777) | 0o011);
  }
}

/** Returns an unused port of loopback. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the port of the run's cluster. The first process starts the cluster; the other processes wait. */
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

/** Does work in a database of a cluster as superuser. */
export async function asAdmin<Result>(
  port: number,
  database: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ host: '127.0.0.1', port, user: 'admin', database });
  // If the cluster is killed, the running statement reports it.
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end().catch(() => undefined);
  }
}

/** A database for one test file. */
export interface TestDatabase {
  /** Address for the role that owns the database. */
  readonly keeper: string;
  /** Address for the role of a server. */
  readonly address: string;
  /** Does work as superuser. */
  readonly admin: <Result>(work: (admin: pg.Client) => Promise<Result>) => Promise<Result>;
  /** Copies the database; no client may be connected to it. */
  copy(): Promise<TestDatabase>;
  remove(): Promise<void>;
}

let databaseCount = 0;

/** Creates an empty database; undefined if PostgreSQL is not installed. */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  return postgresPrograms() === undefined ? undefined : makeDatabase(await clusterOfRun(), 'template1');
}

async function makeDatabase(port: number, template: string): Promise<TestDatabase> {
  databaseCount += 1;
  const name = `t_${process.pid}_${databaseCount}`;
  const text = `CREATE DATABASE ${name} OWNER keeper TEMPLATE ${template}`;
  await asAdmin(port, 'postgres', (admin) => admin.query(text));
  const address = (role: string) => `postgres://${role}@127.0.0.1:${port}/${name}`;
  return {
    keeper: address('keeper'),
    address: address('server'),
    admin: (work) => asAdmin(port, name, work),
    copy: () => makeDatabase(port, name),
    async remove() {
      await asAdmin(port, 'postgres', (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Creates a database with the tables of a store. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  if (!database) throw new Error('PostgreSQL is not installed.');
  await migrate(database.keeper, 'server');
  return database;
}

/** Deletes all rows of a store. Sequences continue, so no number is used twice. */
export async function emptyStore({ admin }: TestDatabase): Promise<void> {
  await admin(async (client) => {
    await client.query(`SET session_replication_role = replica; SET search_path = chartkeeper`);
    // DELETE, not TRUNCATE: tests write few rows, and new files for each table take longer.
    await client.query(
      `DO $$ DECLARE name text; BEGIN
         FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'chartkeeper'
           AND tablename NOT IN ('migration', 'numbering', 'companion_stamp') LOOP
           EXECUTE format('DELETE FROM %I', name);
         END LOOP; END $$`,
    );
  });
}
