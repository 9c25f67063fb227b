/**
 * What the desktop shell and its server process say to each other. Types and guards only; both narrow what they
 * receive with these guards. A secret is in these messages and in no other: they pass between two processes' memory.
 */
import { secretBackends, type SecretBackend } from './connections.ts';

/** First message from the shell to the server process. `token` is the all-scopes token of this launch. */
export interface ServerStart {
  readonly type: 'start';
  readonly dataDir: string;
  /** 0 picks a free port; a restart asks for the port it had, so that the page's origin stays. */
  readonly port: number;
  readonly token: string;
  /** How long the shell keeps the secrets of connections. */
  readonly secrets: SecretBackend;
}

/** The server listens; `origin` is `http://127.0.0.1:<port>` without a trailing slash. */
export interface ServerReady {
  readonly type: 'ready';
  readonly origin: string;
}

/** The server could not start; `message` is one sentence for the user. */
export interface ServerFailed {
  readonly type: 'failed';
  readonly message: string;
}

/** Asks the shell for one secret, to keep one or to forget one; `ask` numbers the question. */
export type SecretQuestion = { readonly type: 'secret'; readonly ask: number; readonly id: string } & (
  { readonly act: 'get' | 'delete' } | { readonly act: 'set'; readonly secret: string }
);

/** The answer to the question of the same number; `secret` only where one was asked for and is kept. */
export interface SecretAnswer {
  readonly type: 'secret';
  readonly ask: number;
  readonly done: boolean;
  readonly secret?: string;
}

/** Asks the server process to finish requests, close its databases and exit. */
export interface ServerStop {
  readonly type: 'stop';
}

/** Asks the server process to forget the tokens of all remote servers. */
export interface ServerSignOut {
  readonly type: 'sign-out';
}

export type ServerReport = ServerReady | ServerFailed | SecretQuestion;
export type ServerOrder = ServerStart | ServerStop | ServerSignOut | SecretAnswer;

function hasType(message: unknown): message is { type: unknown } & Record<string, unknown> {
  return typeof message === 'object' && message !== null && 'type' in message;
}

export function isSecretQuestion(message: unknown): message is SecretQuestion {
  if (!hasType(message) || message.type !== 'secret') return false;
  const { ask, id, act, secret } = message;
  if (typeof ask !== 'number' || typeof id !== 'string') return false;
  return act === 'set' ? typeof secret === 'string' : act === 'get' || act === 'delete';
}

export function isServerReport(message: unknown): message is ServerReport {
  if (!hasType(message)) return false;
  if (message.type === 'ready') return typeof message.origin === 'string';
  if (message.type === 'failed') return typeof message.message === 'string';
  return isSecretQuestion(message);
}

export function isServerOrder(message: unknown): message is ServerOrder {
  if (!hasType(message)) return false;
  switch (message.type) {
    case 'stop':
    case 'sign-out':
      return true;
    case 'secret':
      return typeof message.ask === 'number' && typeof message.done === 'boolean';
    case 'start':
      return (
        typeof message.dataDir === 'string' &&
        typeof message.token === 'string' &&
        typeof message.port === 'number' &&
        secretBackends.some((one) => one === message.secrets)
      );
    default:
      return false;
  }
}
