/**
 * Messages between the desktop shell and its server process. Both parse received messages with these schemas.
 * No other messages contain a secret: they stay in the memory of two processes.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { secretBackends } from './connections.ts';

/** User's choice for a start with missing records: restore the backup of this name, or start empty. */
export const StartChoice = v.variant('kind', [
  v.object({ kind: v.literal('restore'), name: v.string() }),
  v.object({ kind: v.literal('empty') }),
]);
export type StartChoice = Shape<typeof StartChoice>;

/** First message from the shell to the server process. */
const ServerStart = v.object({
  type: v.literal('start'),
  dataDir: v.string(),
  /** 0 for any free port. A restart requests its previous port to preserve the page's origin. */
  port: v.number(),
  /** The all-scopes token of this launch. */
  token: v.string(),
  /** Storage of connection secrets. */
  secrets: v.picklist(secretBackends),
  /** Choice after the previous start stopped with a prompt. */
  choice: v.exactOptional(StartChoice),
});
export type ServerStart = Shape<typeof ServerStart>;

const requestMembers = { type: v.literal('secret'), ask: v.number(), id: v.string() };

/** Request to read, store or delete a secret. `ask` numbers the request. */
const SecretQuestion = v.variant('act', [
  v.object({ ...requestMembers, act: v.picklist(['get', 'delete']) }),
  v.object({ ...requestMembers, act: v.literal('set'), secret: v.string() }),
]);
export type SecretRequest = Shape<typeof SecretQuestion>;

/** Response to the request of the same number. `secret` is present after `get` if it is stored. */
const SecretAnswer = v.object({
  type: v.literal('secret'),
  ask: v.number(),
  done: v.boolean(),
  secret: v.exactOptional(v.string()),
});
export type SecretResponse = Shape<typeof SecretAnswer>;

/** Request for the proxy of an origin in the system settings. */
const ProxyQuestion = v.object({ type: v.literal('proxy'), ask: v.number(), origin: v.string() });
export type ProxyRequest = Shape<typeof ProxyQuestion>;

/** Response to the request of the same number, as a PAC result; absent if unknown. */
const ProxyAnswer = v.object({
  type: v.literal('proxy'),
  ask: v.number(),
  pac: v.exactOptional(v.string()),
});
export type ProxyResponse = Shape<typeof ProxyAnswer>;

/** Requests of the server process to the shell. They may come before it is ready. */
export const ShellRequest = v.variant('type', [SecretQuestion, ProxyQuestion]);
export type ShellRequest = Shape<typeof ShellRequest>;

export const StartReport = v.variant('type', [
  /** The server listens; `origin` is `http://127.0.0.1:<port>` without a trailing slash. */
  v.object({ type: v.literal('ready'), origin: v.string() }),
  /** The server could not start; `message` is one sentence for the user. */
  v.object({
    type: v.literal('failed'),
    message: v.string(),
    /** Names of the latest backups, if the records are missing and the user must choose. */
    backups: v.exactOptional(v.array(v.string())),
  }),
]);
export type StartReport = Shape<typeof StartReport>;

export const StoreReport = v.object({
  type: v.literal('checked'),
  /** True if a record was read back unchanged. */
  sound: v.boolean(),
  /** Name of the engine, or a description of the error. */
  found: v.string(),
});
export type StoreReport = Shape<typeof StoreReport>;

export type ServerReport = StartReport | StoreReport | ShellRequest;

export const ServerOrder = v.variant('type', [
  ServerStart,
  /** Finish requests, close the databases and exit. */
  v.object({ type: v.literal('stop') }),
  /** Store a record and read it back. */
  v.object({ type: v.literal('check') }),
  /** Remove the tokens of all remote servers. */
  v.object({ type: v.literal('sign-out') }),
  SecretAnswer,
  ProxyAnswer,
]);
export type ServerOrder = Shape<typeof ServerOrder>;
