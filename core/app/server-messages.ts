/**
 * What the desktop shell and its server process say to each other, as schemas; both read what they receive with these.
 * A secret is in these messages and in no other: they pass between two processes' memory.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { secretBackends } from './connections.ts';

/** How a start goes on whose records are missing: from a backup of this name, or empty. */
export const StartChoice = v.variant('kind', [
  v.object({ kind: v.literal('restore'), name: v.string() }),
  v.object({ kind: v.literal('empty') }),
]);
export type StartChoice = Shape<typeof StartChoice>;

/** First message from the shell to the server process. */
const ServerStart = v.object({
  type: v.literal('start'),
  dataDir: v.string(),
  /** 0 picks a free port; a restart asks for the port it had, so that the page's origin stays. */
  port: v.number(),
  /** The all-scopes token of this launch. */
  token: v.string(),
  /** How long the shell keeps the secrets of connections. */
  secrets: v.picklist(secretBackends),
  /** What the user chose when the start before stopped to ask. */
  choice: v.exactOptional(StartChoice),
});
export type ServerStart = Shape<typeof ServerStart>;

const question = { type: v.literal('secret'), ask: v.number(), id: v.string() };

/** Asks the shell for one secret, to keep one or to forget one; `ask` numbers the question. */
const SecretQuestion = v.variant('act', [
  v.object({ ...question, act: v.picklist(['get', 'delete']) }),
  v.object({ ...question, act: v.literal('set'), secret: v.string() }),
]);
export type SecretQuestion = Shape<typeof SecretQuestion>;

/** The answer to the question of the same number; `secret` only where one was asked for and is kept. */
const SecretAnswer = v.object({
  type: v.literal('secret'),
  ask: v.number(),
  done: v.boolean(),
  secret: v.exactOptional(v.string()),
});
export type SecretAnswer = Shape<typeof SecretAnswer>;

/** Asks the shell which proxy the system's settings have for an origin. */
const ProxyQuestion = v.object({ type: v.literal('proxy'), ask: v.number(), origin: v.string() });
export type ProxyQuestion = Shape<typeof ProxyQuestion>;

/** The answer to the question of the same number, in the words of a PAC script; without them where nothing is known. */
const ProxyAnswer = v.object({
  type: v.literal('proxy'),
  ask: v.number(),
  pac: v.exactOptional(v.string()),
});
export type ProxyAnswer = Shape<typeof ProxyAnswer>;

/** What the server process asks the shell, before it is ready too. */
export const ShellQuestion = v.variant('type', [SecretQuestion, ProxyQuestion]);
export type ShellQuestion = Shape<typeof ShellQuestion>;

/** How a start ended. */
export const StartReport = v.variant('type', [
  /** The server listens; `origin` is `http://127.0.0.1:<port>` without a trailing slash. */
  v.object({ type: v.literal('ready'), origin: v.string() }),
  /** The server could not start; `message` is one sentence for the user. */
  v.object({
    type: v.literal('failed'),
    message: v.string(),
    /** Names of the newest backups, where the records are missing and the user is to choose what to do. */
    backups: v.exactOptional(v.array(v.string())),
  }),
]);
export type StartReport = Shape<typeof StartReport>;

/** What a check of the store came to. */
export const StoreReport = v.object({
  type: v.literal('checked'),
  /** Whether a record came back as it was stored. */
  sound: v.boolean(),
  /** In words: the engine, or what was wrong. */
  found: v.string(),
});
export type StoreReport = Shape<typeof StoreReport>;

export type ServerReport = StartReport | StoreReport | ShellQuestion;

export const ServerOrder = v.variant('type', [
  ServerStart,
  /** Finish requests, close the databases and exit. */
  v.object({ type: v.literal('stop') }),
  /** Store a record and read it back. */
  v.object({ type: v.literal('check') }),
  /** Forget the tokens of all remote servers. */
  v.object({ type: v.literal('sign-out') }),
  SecretAnswer,
  ProxyAnswer,
]);
export type ServerOrder = Shape<typeof ServerOrder>;
