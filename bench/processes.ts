import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { root } from '../scripts/bundles.ts';
import type { Drive, Driven } from './driver.ts';
import { end, launch } from './launch.ts';

export interface Server {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface Driver {
  readonly pid: number;
  /** Rejects with the words of the fault where an answer was not the expected one. */
  drive(task: Drive): Promise<Exclude<Driven, { readonly fault: string }>>;
  stop(): Promise<void>;
}

/**
 * The built server on a data folder, of a shared store where its address is given; its CPU profile goes to the folder
 * `profile` when it stops.
 */
export function startOurs(dataDir: string, profile?: string, store?: string): Promise<Server> {
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  return startServing(resolve(root, 'dist/server/cli.js'), dataDir, profiling, store);
}

/** A build's command line on a data folder, with flags for Node. */
export function startServing(
  commandLine: string,
  dataDir: string,
  nodeFlags: readonly string[] = [],
  store?: string,
): Promise<Server> {
  const sharing = store === undefined ? [] : ['--store', store];
  return startServer([...nodeFlags, commandLine, ...servingFlags(dataDir), ...sharing]);
}

/** What serves a data folder on a free port, with a token that is kept in it. */
export function servingFlags(dataDir: string): string[] {
  return ['serve', '--port', '0', '--data', dataDir, '--token-file', resolve(dataDir, 'token')];
}

/** The bare handler on its file or database. */
export function startBare(place: string): Promise<Server> {
  return startServer([resolve(import.meta.dirname, 'bare-server.ts'), place]);
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
      const driven = await new Promise<Driven>((resolve) => {
        const answer = (message: unknown) => {
          child.off('exit', ended);
          resolve(message as Driven);
        };
        const ended = () => {
          child.off('message', answer);
          resolve({ fault: 'The driver stopped.' });
        };
        child.once('message', answer);
        child.once('exit', ended);
        child.send(task);
      });
      if ('fault' in driven) throw new Error(driven.fault);
      return driven;
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
  /** File to write a sample of the records to. */
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
