import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { FaultError } from './fault-case.ts';

const sources = ['model.c', 'shadow.c', 'calls.c'].map((file) => resolve(import.meta.dirname, 'shim', file));

/** Compiles the shim into a folder; answers why it cannot be run where there is no compiler, or another system. */
export async function compileShim(folder: string): Promise<{ library: string } | { reason: string }> {
  if (process.platform !== 'linux') return { reason: 'The shim is for Linux.' };
  const library = join(folder, 'disk.so');
  const compiler = process.env.CC ?? 'cc';
  const flags = ['-shared', '-fPIC', '-fvisibility=hidden', '-O2', '-Wall', '-o', library];
  const child = spawn(compiler, [...flags, ...sources, '-ldl', '-lpthread'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const [said, [code]] = await Promise.all([text(child.stderr), ended]);
    if (code === 0) return { library };
    throw new FaultError(`The shim does not compile: ${said.slice(0, 500)}`);
  } catch (error) {
    if (error instanceof FaultError) throw error;
    return { reason: `No C compiler was found (${compiler}).` };
  }
}

export interface DiskOptions {
  readonly seed: number;
  /** Percent of writes that reach the disk before they are synced, torn; 0 where absent. */
  readonly writeback?: number;
  /** The server is killed right before this one of its writes and syncs, counted from 1. */
  readonly killAt?: number;
}

/** A data folder on a disk that keeps only what was synced: shim/model.c says how. */
export class Disk {
  readonly data: string;
  private readonly library: string;
  private readonly shadow: string;
  private readonly failing: string;

  private constructor(folder: string, library: string) {
    this.library = library;
    [this.data, this.shadow, this.failing] = [
      join(folder, 'data'),
      join(folder, 'shadow'),
      join(folder, 'failing'),
    ];
  }

  static async make(folder: string, library: string): Promise<Disk> {
    const disk = new Disk(folder, library);
    await mkdir(disk.data, { recursive: true, mode: 0o700 });
    return disk;
  }

  /** What a server needs in its environment to run on this disk. */
  env({ seed, writeback = 0, killAt = 0 }: DiskOptions): Record<string, string> {
    return {
      LD_PRELOAD: this.library,
      UV_USE_IO_URING: '0',
      DISK_DATA: this.data,
      DISK_SHADOW: this.shadow,
      DISK_SEED: String(seed),
      DISK_WRITEBACK: String(writeback),
      DISK_KILL: String(killAt),
      DISK_FAIL: this.failing,
    };
  }

  /** The power fails: what was not synced is gone. To be called once the server is killed. */
  async cut(): Promise<void> {
    if (!existsSync(this.shadow)) throw new FaultError('The shim kept nothing: it was not loaded.');
    await rm(this.data, { recursive: true });
    await cp(this.shadow, this.data, { recursive: true, mode: 0 });
    await this.forget();
  }

  /** Forgets what was synced: the next server takes the folder over as it is. */
  async forget(): Promise<void> {
    await rm(this.shadow, { recursive: true, force: true });
    await rm(`${this.shadow}.objects`, { recursive: true, force: true });
  }

  /** Lets the next syncs fail. */
  async failSyncs(count: number): Promise<void> {
    await writeFile(this.failing, `${count}\n`);
  }

  /** How many of the next syncs will still fail. */
  async failingSyncs(): Promise<number> {
    return Number.parseInt(await readFile(this.failing, 'utf8'), 10) || 0;
  }

  /** How many writes and syncs the last server made that ended in order. */
  async calls(): Promise<number> {
    return Number(await readFile(`${this.shadow}.calls`, 'utf8'));
  }
}
