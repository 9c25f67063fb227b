/**
 * A data folder that outlives its server, for tests of restarts. Tests set its clock and run its timers. If tests run on a
 * shared store, it has a database and no file of records.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { derivations, type Derivation } from '../../core/derive/derivations.ts';
import { createToken } from '../access/secret.ts';
import { loadTraining } from '../import/load-training.ts';
import { pageFolder } from '../serve.ts';
import { openRecords, startServer, type RunningServer, type StartOptions } from '../start.ts';
import { connect } from '../sqlite/sqlite.ts';
import { verifyFile } from '../store/sqlite/verify.ts';
import { startSharedServer } from '../shared/start-shared.ts';
import { migratedDatabase, type TestDatabase } from './postgres.ts';
import { onSharedStore, sendTo, type Answer, type TestServer } from './test-server.ts';

type KeptServer = Pick<RunningServer, 'origin' | 'damage' | 'validation' | 'close'>;

export class KeptFolder {
  readonly path: string;
  readonly records: string;
  readonly lines: string[] = [];
  now: number;
  /** Number of the clock read that fails. A server reads it first for its statement, then for the rebuild. */
  clockFails = 0;
  private ticks: (() => void)[] = [];
  private running: { readonly server: KeptServer; readonly token: string } | undefined;
  private readonly database: TestDatabase | undefined;

  private constructor(path: string, now: number, database?: TestDatabase) {
    this.path = path;
    this.database = database;
    this.records = join(path, 'records.db');
    this.now = now;
  }

  /** Creates an empty folder, or a copy of `source`. */
  static async make(now: number, source?: KeptFolder): Promise<KeptFolder> {
    const path = await mkdtemp(join(tmpdir(), 'chartkeeper-kept-'));
    if (source) await cp(source.path, path, { recursive: true });
    return new KeptFolder(path, now, onSharedStore ? await migratedDatabase() : undefined);
  }

  /** Creates a folder with the records of the migration, derived at `now`. */
  static async createFilled(now: number): Promise<KeptFolder> {
    const folder = await KeptFolder.make(now);
    const { store, service } = await openRecords(folder.path, { clock: () => now });
    await loadTraining(service, 'migration', { author: 'test', seed: 1 });
    await store.close();
    return folder;
  }

  async start(
    requestedDerivations: readonly Derivation[] = derivations,
    checks?: StartOptions['checks'],
  ): Promise<void> {
    const token = createToken();
    this.ticks = [];
    const options: StartOptions = {
      dataDir: this.path,
      port: 0,
      token,
      pageFolder,
      derivations: requestedDerivations,
      ...(checks && { checks }),
      scheduleEvery: (_milliseconds, work) => {
        this.ticks.push(work);
        return () => undefined;
      },
      clock: () => {
        this.clockFails -= 1;
        if (this.clockFails === 0) throw new Error('The clock failed.');
        return this.now;
      },
      log: (line) => void this.lines.push(line),
    };
    const server = this.database
      ? await startSharedServer({ ...options, address: this.database.address })
      : await startServer(options);
    this.running = { server, token };
  }

  async stop(): Promise<void> {
    await this.running?.server.close();
    this.running = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    // An integrity check of a backup may not have ended yet.
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
    await this.database?.remove();
  }

  send(...request: Parameters<TestServer['send']>): Promise<Answer> {
    if (!this.running) throw new Error('No server is running');
    return sendTo(this.running.server.origin, `Bearer ${this.running.token}`, ...request);
  }

  /** Resolves when all derived rows are rebuilt. */
  async waitForRebuild(): Promise<void> {
    await this.running?.server.validation.rebuilder.idle();
  }

  /** Resolves when the enabled checks have run on all records. */
  async runChecks(): Promise<void> {
    this.running?.server.validation.checks.wake();
    await this.running?.server.validation.checks.idle();
  }

  /** Starts a scan of the relations between records; resolves at its end. */
  async scanRelations(): Promise<void> {
    this.running?.server.validation.relations.wake();
    await this.running?.server.validation.relations.idle();
  }

  /** Resolves when the current scan of relations has ended. */
  async waitForRelationScan(): Promise<void> {
    await this.running?.server.validation.relations.idle();
  }

  /** Resolves when all texts have been read against their checksums. */
  async waitForScrub(): Promise<void> {
    await this.running?.server.damage.idle();
  }

  /** Runs all interval timers once. */
  tick(): void {
    for (const work of this.ticks) work();
  }

  /** Runs SQL on the records without the server. */
  async tamper(sql: string): Promise<void> {
    if (this.database) {
      await this.database.admin((admin) => admin.query(`SET search_path = chartkeeper; ${sql}`));
      return;
    }
    const database = connect(this.records);
    database.exec(sql);
    database.close();
  }

  /** Marks all derived rows as current without rebuilding them. */
  markAsCurrent(): void {
    const database = connect(this.records);
    const set = database.prepare('UPDATE derivation SET stamp = ? WHERE part = ?');
    for (const { name, stamp } of derivations) set.run(stamp, name);
    database.close();
  }

  /** Problems that verify reports; none for a shared store. */
  async verify(): Promise<string[]> {
    if (this.database) return [];
    const problems: string[] = [];
    for await (const { where, problem } of verifyFile(this.records)) problems.push(`${where} ${problem}`);
    return problems;
  }
}
