import { createInterface } from 'node:readline';
import { session, utilityProcess } from 'electron';
import type { ProxyResponse, ProxyRequest } from '../core/app/server-messages.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { ShellPaths } from './paths.ts';
import type { SecretVault } from './secret-vault.ts';
import type { ServerChild } from './server-attempt.ts';
import { createServerProcess, type ServerProcess } from './server-process.ts';

/** Starts the server as a utility process. Its output goes to the log. */
function forkServer(worker: string, log: Log): ServerChild {
  // The token follows by message: others can read the arguments and the environment of a process.
  const child = utilityProcess.fork(worker, [], { serviceName: 'Chartkeeper server', stdio: 'pipe' });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => log(`server: ${line}`));
  }
  // Not the report itself, because it contains the environment.
  child.on('error', (type, location) => log(`server fault: ${type} at ${location}`));
  return {
    postMessage: (order) => child.postMessage(order),
    kill: () => child.kill(),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', listener),
  };
}

/** Answers with the settings of the system, including its PAC script. Omits `pac` if they cannot be read. */
async function answerProxy({ ask, origin }: ProxyRequest): Promise<ProxyResponse> {
  const response = { type: 'proxy', ask } as const;
  try {
    return { ...response, pac: await session.defaultSession.resolveProxy(origin) };
  } catch {
    return response;
  }
}

/** Creates the supervisor of this launch's server. Nothing runs until `start` is called. */
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
  const { paths, ...otherOptions } = options;
  return createServerProcess({
    ...otherOptions,
    answerProxy,
    fork: () => forkServer(paths.worker, options.log),
    dataDir: paths.dataDir,
  });
}
