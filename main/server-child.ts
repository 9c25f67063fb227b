import { createInterface } from 'node:readline';
import { session, utilityProcess } from 'electron';
import type { ProxyAnswer, ProxyQuestion } from '../core/app/server-messages.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { ShellPaths } from './paths.ts';
import type { SecretVault } from './secret-vault.ts';
import type { ServerChild } from './server-attempt.ts';
import { createServerProcess, type ServerProcess } from './server-process.ts';

/** Starts the server's file as a utility process; what it prints goes to the log. */
function forkServer(worker: string, log: Log): ServerChild {
  // The token follows by message: arguments and the environment of a process can be read by others.
  const child = utilityProcess.fork(worker, [], { serviceName: 'Chartkeeper server', stdio: 'pipe' });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => log(`server: ${line}`));
  }
  // Not the report itself: it lists the environment.
  child.on('error', (type, location) => log(`server fault: ${type} at ${location}`));
  return {
    postMessage: (order) => child.postMessage(order),
    kill: () => child.kill(),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', listener),
  };
}

/** Answers by the system's settings, a PAC script of theirs included; without `pac` where they cannot be read. */
async function answerProxy({ ask, origin }: ProxyQuestion): Promise<ProxyAnswer> {
  const answer = { type: 'proxy', ask } as const;
  try {
    return { ...answer, pac: await session.defaultSession.resolveProxy(origin) };
  } catch {
    return answer;
  }
}

/** Returns the supervisor of this launch's server; nothing runs until its `start` is called. */
export function setupServer(options: {
  readonly paths: ShellPaths;
  readonly token: string;
  readonly vault: SecretVault;
  readonly clock: Clock;
  readonly log: Log;
  readonly onReady: (origin: string) => void;
  readonly onFailed: (message: string) => void;
  readonly onMissing: (message: string, backups: readonly string[]) => void;
}): ServerProcess {
  const { paths, ...rest } = options;
  return createServerProcess({
    ...rest,
    answerProxy,
    fork: () => forkServer(paths.worker, options.log),
    dataDir: paths.dataDir,
  });
}
