import {
  ShellQuestion,
  StoreReport,
  type ProxyAnswer,
  type ProxyQuestion,
  type StartChoice,
} from '../core/app/server-messages.ts';
import { is } from '../core/json/shape.ts';
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
  /** Answers which proxy the system has; never rejects. */
  readonly answerProxy: (question: ProxyQuestion) => Promise<ProxyAnswer>;
  /** Called each time the server is ready, after a restart with the same origin as before. */
  readonly onReady: (origin: string) => void;
  /** Called with a sentence when the first start failed, or when the server is not restarted any more. */
  readonly onFailed: (message: string) => void;
  /** Called instead where the records are missing: the next start is told what the user chose. */
  readonly onMissing: (message: string, backups: readonly string[]) => void;
}

/** What the user chose for a start, where one stopped to ask. */
export interface StartWay {
  /** Another folder than that of the options, until the application ends. */
  readonly dataDir?: string;
  readonly choice?: StartChoice;
}

export type ServerProcess = ReturnType<typeof createServerProcess>;

const DRAIN_MS = 3_000;
/** After a kill the process has this long to be gone before the shell ends without it. */
const KILL_WAIT_MS = 1_000;

/** Asks the process to stop, kills it when it has not within {@link DRAIN_MS}, and resolves when it is gone. */
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
 * Returns a supervisor of the server process: handshake, restart on the same port with back-off, stop. Its functions are
 * handed out one by one.
 */
export function createServerProcess(options: ServerProcessOptions) {
  const { fork, clock, log, token, vault } = options;
  let { dataDir } = options;
  let state: State = { type: 'idle' };
  let origin: string | undefined;
  let port = 0;
  let restarts: readonly number[] = [];
  let stopped: Promise<void> | undefined;
  let checked: ((report: StoreReport) => void) | undefined;

  const answerOf = (question: ShellQuestion) =>
    question.type === 'secret' ? vault.answer(question) : options.answerProxy(question);

  function launch(onFailure: (failure: StartFailure) => void, choice?: StartChoice): void {
    const child = fork();
    const isCurrent = () => 'child' in state && state.child === child;
    state = { type: 'starting', child };
    child.onMessage((message) => {
      if (is(StoreReport, message)) checked?.(message);
      if (!is(ShellQuestion, message)) return;
      void answerOf(message).then((answer) => {
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
      checked?.({ type: 'checked', sound: false, found: text.selfCheck.noAnswer });
      log(`server exited with code ${code}`);
      // An exit before ready is the attempt's to report: it was told first, and this process is current no more.
      if (isCurrent()) restart();
    });
  }

  function restart(lastFailure = ''): void {
    const next = nextRestart(restarts, clock.now());
    if (next === undefined) {
      giveUp(`${text.gaveUp(restarts.length)} ${lastFailure}`.trim());
      return;
    }
    restarts = next.times;
    const cancel = clock.after(next.delay, () => {
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
    const last = state;
    state = { type: 'stopping' };
    if (last.type === 'waiting') last.cancel();
    return 'child' in last ? stopChild(last.child, clock) : Promise.resolve();
  }

  return {
    start: (way: StartWay = {}) => {
      dataDir = way.dataDir ?? dataDir;
      launch(({ message, backups }) => giveUp(message, backups), way.choice);
    },
    /** Asks the process to drain and resolves when it is gone; no restart follows. */
    stop: () => (stopped ??= end()),
    /** The server's origin once it was ready; a restart keeps it. */
    origin: () => origin,
    isRunning: () => state.type === 'running',
    /** Has the server store a record and read it back. */
    check: () => {
      const { promise, resolve } = Promise.withResolvers<StoreReport>();
      checked = resolve;
      if (state.type === 'running') state.child.postMessage({ type: 'check' });
      else resolve({ type: 'checked', sound: false, found: text.selfCheck.noAnswer });
      return promise;
    },
    /** Makes the server forget the tokens of remote servers; one that is starting holds none. */
    signOut: () => {
      if (state.type === 'running') state.child.postMessage({ type: 'sign-out' });
    },
  };
}
