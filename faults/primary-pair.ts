/** Two PostgreSQL clusters: one takes writes, the other follows it and confirms each commit. */
import { appendFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  beginCluster,
  killCluster,
  rewind,
  startCluster,
  startStandby,
  stopCluster,
} from '../server/testing/postgres.ts';
import { asAdmin, careful, makeStore } from './shared-store.ts';
import { until } from './wait.ts';

/** What a cluster needs to follow the one that followed it. */
const settings = {
  ...careful,
  wal_level: 'replica',
  // pg_rewind reads all that lies in the folder.
  unix_socket_directories: '',
};

/** What pg_rewind, and the recovery that it begins with, look for in the files. */
const prepare = (folder: string) =>
  appendFileSync(join(folder, 'postgresql.conf'), '\nwal_log_hints = on\nwal_keep_size = 512MB\n');

interface Place {
  readonly folder: string;
  readonly port: number;
}

/** How the one that was killed comes back: with what is its own taken back, or as a new copy. */
export type Way = 'rewound' | 'copied anew';

export class PrimaryPair {
  private primary: Place;
  private standby: Place;

  private constructor(primary: Place, standby: Place) {
    this.primary = primary;
    this.standby = standby;
  }

  static async begin(parent: string): Promise<PrimaryPair> {
    await mkdir(parent, { recursive: true });
    const [first, second] = [join(parent, 'first'), join(parent, 'second')];
    const primary = { folder: first, port: await startCluster(first, { settings, prepare }) };
    const standby = { folder: second, port: await startStandby(second, primary.port, { settings }) };
    const pair = new PrimaryPair(primary, standby);
    await makeStore(primary.port);
    await pair.confirm();
    return pair;
  }

  /** Of both, whichever takes writes. */
  get ports(): readonly number[] {
    return [this.primary.port, this.standby.port];
  }

  /** Of the one that takes writes. */
  get port(): number {
    return this.primary.port;
  }

  /** Kills the one that takes writes. */
  kill(): void {
    killCluster(this.primary.folder);
  }

  /** Has the other take over, without one that follows it. */
  async failOver(): Promise<void> {
    [this.primary, this.standby] = [this.standby, this.primary];
    await asAdmin(this.port, (admin) => admin.query('SELECT pg_promote(true, 120)'), 'postgres');
    await this.set(`RESET synchronous_standby_names`);
  }

  /** Has the one that was killed follow the other, which from then on waits for it. */
  async rejoin(way: Way): Promise<void> {
    const { folder, port } = this.standby;
    if (way === 'rewound') {
      // Before it pg_rewind does not see that the other took over.
      await asAdmin(this.port, (admin) => admin.query('CHECKPOINT'));
      rewind(folder, this.port);
      await beginCluster(folder, settings, port);
    } else {
      await rm(folder, { recursive: true });
      await startStandby(folder, this.port, { settings, port });
    }
    await this.confirm();
  }

  stop(): void {
    for (const { folder } of [this.primary, this.standby]) stopCluster(folder);
  }

  private async confirm(): Promise<void> {
    await this.set(`SET synchronous_standby_names = '*'`);
    const text = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
    const follows = () => asAdmin(this.port, async (admin) => (await admin.query(text)).rows.length > 0);
    await until('A standby that confirms', follows);
  }

  private async set(setting: string): Promise<void> {
    await asAdmin(this.port, async (admin) => {
      await admin.query(`ALTER SYSTEM ${setting}`);
      await admin.query('SELECT pg_reload_conf()');
    });
  }
}
