/** Two PostgreSQL clusters: a primary for writes, and a standby that confirms each commit. */
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
import { asAdmin, durableSettings, createSharedStore } from './shared-store.ts';
import { waitUntil } from './wait.ts';

/** Settings that let a cluster follow its former standby. */
const settings = {
  ...durableSettings,
  wal_level: 'replica',
  // pg_rewind reads all files of the folder, so no socket may be there.
  unix_socket_directories: '',
};

/** Appends settings to the files, for pg_rewind and for the recovery at its start. */
const prepare = (folder: string) =>
  appendFileSync(join(folder, 'postgresql.conf'), '\nwal_log_hints = on\nwal_keep_size = 512MB\n');

interface ClusterLocation {
  readonly folder: string;
  readonly port: number;
}

/** How a killed primary returns: its own changes are rewound, or it is copied anew. */
export type RejoinMode = 'rewound' | 'copied anew';

export class PrimaryPair {
  private primary: ClusterLocation;
  private standby: ClusterLocation;

  private constructor(primary: ClusterLocation, standby: ClusterLocation) {
    this.primary = primary;
    this.standby = standby;
  }

  static async begin(parent: string): Promise<PrimaryPair> {
    await mkdir(parent, { recursive: true });
    const [firstFolder, secondFolder] = [join(parent, 'first'), join(parent, 'second')];
    const primary = { folder: firstFolder, port: await startCluster(firstFolder, { settings, prepare }) };
    const standby = {
      folder: secondFolder,
      port: await startStandby(secondFolder, primary.port, { settings }),
    };
    const pair = new PrimaryPair(primary, standby);
    await createSharedStore(primary.port);
    await pair.confirm();
    return pair;
  }

  /** Ports of both clusters. The first takes writes. */
  get ports(): readonly number[] {
    return [this.primary.port, this.standby.port];
  }

  /** Port of the primary. */
  get port(): number {
    return this.primary.port;
  }

  /** Kills the primary. */
  kill(): void {
    killCluster(this.primary.folder);
  }

  /** Promotes the standby. It has no standby itself yet. */
  async failOver(): Promise<void> {
    [this.primary, this.standby] = [this.standby, this.primary];
    await asAdmin(this.port, (admin) => admin.query('SELECT pg_promote(true, 120)'), 'postgres');
    await this.set(`RESET synchronous_standby_names`);
  }

  /** Makes the killed cluster follow the new primary, which from then on waits for its confirmation. */
  async rejoin(mode: RejoinMode): Promise<void> {
    const { folder, port } = this.standby;
    if (mode === 'rewound') {
      // Without a checkpoint, pg_rewind does not see that the other cluster was promoted.
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
    const isConfirmed = () => asAdmin(this.port, async (admin) => (await admin.query(text)).rows.length > 0);
    await waitUntil('A standby that confirms', isConfirmed);
  }

  private async set(setting: string): Promise<void> {
    await asAdmin(this.port, async (admin) => {
      await admin.query(`ALTER SYSTEM ${setting}`);
      await admin.query('SELECT pg_reload_conf()');
    });
  }
}
