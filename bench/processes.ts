import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { root } from '../scripts/bundles.ts';
import type { DriverRequest, DriverResult } from './driver.ts';
import { end, launch } from './launch.ts';

export interface Server {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface Driver {
  readonly pid: number;
  /** Rejects with a message if a response is unexpected. */
  drive(task: DriverRequest): Promise<Exclude<DriverResult, { readonly fault: string }>>;
  stop(): Promise<void>;
}

/**
 * Starts the built server on a data folder, or over a shared store if its address is given. Its CPU profile
 * is written to the folder `profile` when it stops.
 */
export function startOurs(dataDir: string, profile?: string, store?: string): Promise<Server> {
  const profileFlags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  return startServing(resolve(root, 'dist/server/cli.js'), dataDir, profileFlags, store);
}

/** Starts the command line of a build on a data folder, with flags for Node. */
export function startServing(
  commandLine: string,
  dataDir: string,
  nodeFlags: readonly string[] = [],
  store?: string,
): Promise<Server> {
  const storeFlags = store === undefined ? [] : ['--store', store];
  return startServer([...nodeFlags, commandLine, ...createServeFlags(dataDir), ...storeFlags]);
}

/** Returns the flags to serve a data folder on a free port, with a token file in the folder. */
export function createServeFlags(dataDir: string): string[] {
  return ['serve', '--port', '0', '--data', dataDir, '--token-file', resolve(dataDir, 'token')];
}

/** Starts the bare handler on its file or database. */
export function startBare(target: string): Promise<Server> {
  return startServer([resolve(import.meta.dirname, 'bare-server.ts'), target]);
}

async function startServer(args: readonly string[]): Promise<Server> {
  const { child, port, token } = await launch(args);
  return { port, token, pid: child.pid ?? 0, stop: () => end(child, 'SIGTERM') };
}

export function startDriver(): Driver {
  const child = fork(resolve(import.meta.dirname, 'driver.ts'));
  return {
    pid: child.pid ?? 0,
    async drive(task) {
      const result = await new Promise<DriverResult>((resolve) => {
        const handleMessage = (message: unknown) => {
          child.off('exit', handleExit);
          resolve(message as DriverResult);
        };
        const handleExit = () => {
          child.off('message', handleMessage);
          resolve({ fault: 'The driver stopped.' });
        };
        child.once('message', handleMessage);
        child.once('exit', handleExit);
        child.send(task);
      });
      if ('fault' in result) throw new Error(result.fault);
      return result;
    },
    stop: () => end(child, 'SIGKILL'),
  };
}

export interface FillOptions {
  readonly kind: 'ours' | 'bare' | 'shared' | 'shared-bare';
  /** The folder, or the address of a database. */
  readonly data: string;
  readonly records: number;
  readonly seed: number;
  /** File for a sample of the records. */
  readonly sample?: string;
}

/** Runs bench/fill.ts to its end. */
export async function fill({ kind, data, records, seed, sample }: FillOptions): Promise<void> {
  const flags = Object.entries({
    kind,
    data,
    records,
    seed,
    ...(sample !== undefined && { sample }),
  });
  const child = fork(
    resolve(import.meta.dirname, 'fill.ts'),
    flags.flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The store of ${kind} could not be filled.`);
}
