/** A served data folder. Tests run its checks of the audit log by hand, and copy it as a kill would leave it. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer, type RunningServer } from '../start.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { verifyFile } from '../store/sqlite/verify.ts';
import { keptOutsideIn } from '../workspace/audit-anchor.ts';
import { lookMs } from '../audit-log-watch.ts';
import { carePlan, sendTo, type Answer, type TestServer } from './test-server.ts';

export class WatchedFolder {
  readonly path: string;
  readonly records: string;
  readonly lines: string[] = [];
  private readonly key: SealKey | undefined;
  private look: () => void = () => undefined;
  private readonly token = createToken();
  private running: RunningServer | undefined;

  private constructor(path: string, key: SealKey | undefined) {
    this.path = path;
    this.key = key;
    this.records = join(path, 'records.db');
  }

  static async make(key?: SealKey): Promise<WatchedFolder> {
    return new WatchedFolder(await mkdtemp(join(tmpdir(), 'chartkeeper-watched-')), key);
  }

  /** Copies the folder as a kill leaves it; no write may be in progress. */
  async copy(): Promise<WatchedFolder> {
    const copy = await WatchedFolder.make(this.key);
    await cp(this.path, copy.path, { recursive: true });
    return copy;
  }

  async start(): Promise<void> {
    this.running = await startServer({
      dataDir: this.path,
      port: 0,
      token: this.token,
      pageFolder,
      auditKey: this.key,
      log: (line) => void this.lines.push(line),
      scheduleEvery: (milliseconds, work) => {
        if (milliseconds === lookMs) this.look = work;
        return () => undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.path, { recursive: true, force: true });
  }

  send(...request: Parameters<TestServer['send']>): Promise<Answer> {
    if (!this.running) throw new Error('No server is running');
    return sendTo(this.running.origin, `Bearer ${this.token}`, ...request);
  }

  /** Creates records one after the other; returns their ids. */
  async write(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { json } = await this.send('POST', '/fhir-r4/v1/CarePlan', carePlan(`Patient/${index}`));
      ids.push(json.id as string);
    }
    return ids;
  }

  /** Runs a check of the audit log and waits for its end. */
  async lookNow(): Promise<void> {
    this.look();
    await this.send('GET', '/app/losses');
  }

  /** Problems that verify reports, compared with the anchor in the workspace. */
  async verify(): Promise<string[]> {
    const head = keptOutsideIn(join(this.path, 'workspace.db'))?.head;
    const problems: string[] = [];
    for await (const { where, problem } of verifyFile(this.records, { head, key: this.key })) {
      problems.push(`${where} ${problem}`);
    }
    return problems;
  }
}
