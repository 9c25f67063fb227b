import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { FaultError } from './fault-case.ts';

const sources = ['model.c', 'shadow.c', 'calls.c'].map((file) => resolve(import.meta.dirname, 'shim', file));

/** Compiles the shim into a folder. Returns a reason if there is no compiler, or the system is not Linux. */
export async function compileShim(folder: string): Promise<{ library: string } | { reason: string }> {
  if (process.platform !== 'linux') return { reason: 'The shim is for Linux.' };
  const library = join(folder, 'disk.so');
  const compiler = process.env.CC ?? 'cc';
  const flags = ['-shared', '-fPIC', '-fvisibility=hidden', '-O2', '-Wall', '-o', library];
  const child = spawn(compiler, [...flags, ...sources, '-ldl', '-lpthread'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const exit = once(child, 'exit') as Promise<[number | null]>;
    const [errorText, [code]] = await Promise.all([text(child.stderr), exit]);
    if (code === 0) return { library };
    throw new FaultError(`The shim does not compile: ${errorText.slice(0, 500)}`);
  } catch (error) {
    if (error instanceof FaultError) throw error;
    return { reason: `No C compiler was found (${compiler}).` };
  }
}

export interface DiskOptions {
  readonly seed: number;
  /** Percent of writes that reach the disk, torn, before they are synced. Default 0. */
  readonly writeback?: number;
  /** The server is killed right before this write or sync, counted from 1. */
  readonly killAt?: number;
}

/** A data folder on a simulated disk that retains only synced data. shim/model.c describes the model. */
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

  /** Returns the environment variables for a server on this disk. */
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

  /** Cuts the power: data that was not synced is lost. The server must be killed first. */
  async cutPower(): Promise<void> {
    if (!existsSync(this.shadow)) throw new FaultError('The shim kept nothing: it was not loaded.');
    await rm(this.data, { recursive: true });
    await cp(this.shadow, this.data, { recursive: true, mode: 0 });
    await this.resetShadow();
  }

  /** Deletes the record of synced data. The next server takes the folder as it is. */
  async resetShadow(): Promise<void> {
    await rm(this.shadow, { recursive: true, force: true });
    await rm(`${this.shadow}.objects`, { recursive: true, force: true });
  }

  /** Makes the next syncs fail. */
  async failSyncs(count: number): Promise<void> {
    await writeFile(this.failing, `${count}\n`);
  }

  /** Returns how many of the next syncs fail. */
  async countFailingSyncs(): Promise<number> {
    return Number.parseInt(await readFile(this.failing, 'utf8'), 10) || 0;
  }

  /** Returns how many writes and syncs the last server made. The server must have stopped in order. */
  async countCalls(): Promise<number> {
    return Number(await readFile(`${this.shadow}.calls`, 'utf8'));
  }
}
