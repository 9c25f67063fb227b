import {
  ShellRequest,
  StoreReport,
  type ProxyResponse,
  type ProxyRequest,
  type StartChoice,
} from '../core/app/server-messages.ts';
import { matchesSchema } from '../core/json/shape.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { nextRestart } from './restart-policy.ts';
import type { SecretVault } from './secret-vault.ts';
import { attemptStart, type ServerChild, type StartFailure } from './server-attempt.ts';
import { text } from './text.ts';

export interface ServerProcessOptions {
  readonly fork: () => ServerChild;
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly token: string;
  readonly vault: SecretVault;
  /** Returns the proxy of the system. Never rejects. */
  readonly answerProxy: (question: ProxyRequest) => Promise<ProxyResponse>;
  /** Called each time the server is ready. After a restart the origin is the same. */
  readonly onReady: (origin: string) => void;
  /** Called with a message if the first start failed, or if the server is not restarted again. */
  readonly onFailed: (message: string) => void;
  /** Called instead if the records are missing. The next start gets the user's choice. */
  readonly onMissing: (message: string, backups: readonly string[]) => void;
}

/** The user's choice for a start after a prompt. */
export interface StartWay {
  /** A folder that replaces the folder of the options until the application ends. */
  readonly dataDir?: string;
  readonly choice?: StartChoice;
}

export type ServerProcess = ReturnType<typeof createServerProcess>;

const DRAIN_MS = 3_000;
/** Time after a kill until the shell ends without waiting for the process. */
const KILL_WAIT_MS = 1_000;

/** Asks the process to stop, kills it after {@link DRAIN_MS}, and resolves when it has ended. */
function stopChild(child: ServerChild, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    let cancel = clock.after(DRAIN_MS, () => {
      child.kill();
      cancel = clock.after(KILL_WAIT_MS, resolve);
    });
    child.onExit(() => {
      cancel();
      resolve();
    });
    child.postMessage({ type: 'stop' });
  });
}

type State =
  | { readonly type: 'starting' | 'running'; readonly child: ServerChild }
  | { readonly type: 'waiting'; readonly cancel: () => void }
  | { readonly type: 'idle' | 'stopping' };

/**
 * Creates a supervisor of the server process: handshake, restart on the same port with back-off, stop. Its
 * functions can be passed on separately.
 */
export function createServerProcess(options: ServerProcessOptions) {
  const { fork, clock, log, token, vault } = options;
  let { dataDir } = options;
  let state: State = { type: 'idle' };
  let origin: string | undefined;
  let port = 0;
  let restarts: readonly number[] = [];
  let stopPromise: Promise<void> | undefined;
  let onChecked: ((report: StoreReport) => void) | undefined;

  const answerRequest = (question: ShellRequest) =>
    question.type === 'secret' ? vault.answer(question) : options.answerProxy(question);

  function launch(onFailure: (failure: StartFailure) => void, choice?: StartChoice): void {
    const child = fork();
    const isCurrent = () => 'child' in state && state.child === child;
    state = { type: 'starting', child };
    child.onMessage((message) => {
      if (matchesSchema(StoreReport, message)) onChecked?.(message);
      if (!matchesSchema(ShellRequest, message)) return;
      void answerRequest(message).then((answer) => {
        if (isCurrent()) child.postMessage(answer);
      });
    });
    const order = { type: 'start', dataDir, port, token, secrets: vault.backend } as const;
    attemptStart(child, { ...order, ...(choice && { choice }) }, clock, (result) => {
      if (!isCurrent()) return;
      if (result.type === 'failed') {
        log(`server not started: ${result.message}`);
        state = { type: 'idle' };
        onFailure(result);
        return;
      }
      log(`server ready on port ${result.port}`);
      ({ origin, port } = result);
      state = { type: 'running', child };
      options.onReady(origin);
    });
    child.onExit((code) => {
      onChecked?.({ type: 'checked', sound: false, found: text.selfCheck.noAnswer });
      log(`server exited with code ${code}`);
      // The attempt reports an exit before ready. It was notified first, so this process is no longer
      // current.
      if (isCurrent()) restart();
    });
  }

  function restart(lastFailure = ''): void {
    const restartPlan = nextRestart(restarts, clock.now());
    if (restartPlan === undefined) {
      giveUp(`${text.gaveUp(restarts.length)} ${lastFailure}`.trim());
      return;
    }
    restarts = restartPlan.times;
    const cancel = clock.after(restartPlan.delay, () => {
      launch((failure) =>
        failure.mayPass ? restart(failure.message) : giveUp(failure.message, failure.backups),
      );
    });
    state = { type: 'waiting', cancel };
  }

  function giveUp(message: string, backups?: readonly string[]): void {
    state = { type: 'idle' };
    if (backups) options.onMissing(message, backups);
    else options.onFailed(message);
  }

  function end(): Promise<void> {
    const previousState = state;
    state = { type: 'stopping' };
    if (previousState.type === 'waiting') previousState.cancel();
    return 'child' in previousState ? stopChild(previousState.child, clock) : Promise.resolve();
  }

  return {
    start: (startOptions: StartWay = {}) => {
      dataDir = startOptions.dataDir ?? dataDir;
      launch(({ message, backups }) => giveUp(message, backups), startOptions.choice);
    },
    /** Asks the process to drain and resolves when it has ended. It is not restarted. */
    stop: () => (stopPromise ??= end()),
    /** Returns the origin since the server was first ready. A restart keeps it. */
    origin: () => origin,
    isRunning: () => state.type === 'running',
    /** Makes the server store a record and read it back. */
    check: () => {
      const { promise, resolve } = Promise.withResolvers<StoreReport>();
      onChecked = resolve;
      if (state.type === 'running') state.child.postMessage({ type: 'check' });
      else resolve({ type: 'checked', sound: false, found: text.selfCheck.noAnswer });
      return promise;
    },
    /** Removes the tokens of remote servers from the server. A starting server has none. */
    signOut: () => {
      if (state.type === 'running') state.child.postMessage({ type: 'sign-out' });
    },
  };
}
