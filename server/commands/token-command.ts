/** `chartkeeper token`: makes, lists and revokes tokens in a data folder that no server holds, or in a shared store. */
import { join } from 'node:path';
import { check } from '../../core/app/check.ts';
import { ownerName, TokenRequest, tokenState, type TokenSummary } from '../../core/app/tokens.ts';
import { withStore, withWorkspace, type CommandTarget } from './command-place.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { commandEntry, noteCommandIn, type CommandEntry } from '../store/sqlite/audit-note.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import { openPassingWorkspace } from '../workspace/workspace.ts';
import type { TokenStore } from '../workspace/tokens.ts';

export interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  /** Such as `90d`. */
  readonly expires?: string;
}

/** Makes a token and prints its id and the token, which is told this once. */
export async function createToken(
  place: CommandTarget,
  options: CreateOptions,
  key?: SealKey,
): Promise<void> {
  const expiresIn = options.expires === undefined ? undefined : lifetimeOf(options.expires);
  const { name, scope: scopes } = options;
  const asked = check(TokenRequest, { name, scopes, ...(expiresIn !== undefined && { expiresIn }) });
  if ('problems' in asked) throw new Error(asked.problems.map(({ text }) => text).join('\n'));
  const work: Work<{ id: string; token: string }> = async (tokens, note) => {
    const minted = await tokens.mint(asked.value);
    note({ action: 'token-create', what: minted.id, who: ownerName });
    return minted;
  };
  const { id, token } = await withTokens(place, work, key);
  process.stdout.write(`id     ${id}\ntoken  ${token}\n`);
  process.stderr.write('Store the token now: it is not shown again.\n');
}

/** Prints a line for each token, newest first. */
export async function listTokens(place: CommandTarget): Promise<void> {
  const tokens = await withTokens(place, (store) => store.list());
  const rows = [heading, ...tokens.map((token) => rowOf(token, Date.now()))];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

/** Ends a token: whoever comes with it, or with what it obtained, is refused, by servers of a shared store within seconds. */
export async function revokeToken(place: CommandTarget, id: string, key?: SealKey): Promise<void> {
  const work: Work<TokenSummary> = async (tokens, note) => {
    const revoked = await tokens.revoke(id);
    if (!revoked) throw new Error('There is no token with this ID. Run `token list`.');
    note({ action: 'token-revoke', what: id, who: ownerName });
    return revoked;
  };
  const { name } = await withTokens(place, work, key);
  process.stdout.write(`${name} revoked.\n`);
}

const heading = ['ID', 'NAME', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'];

function rowOf(token: TokenSummary, now: number): string[] {
  const { id, name, scopes, expires = 'never', lastUsed = 'never' } = token;
  return [id, name, tokenState(token, now), scopes.join(' '), expires, lastUsed];
}

/** What is done with tokens; an entry that it notes is added to the trail once the tokens are stored. */
type Work<Result> = (tokens: TokenStore, note: (entry: CommandEntry) => void) => Promise<Result>;

async function withTokens<Result>(place: CommandTarget, work: Work<Result>, key?: SealKey): Promise<Result> {
  const noted: CommandEntry[] = [];
  const use = (tokens: TokenStore) => work(tokens, (entry) => noted.push(entry));
  if ('address' in place) return withStore(place.address, (store) => inStore(store, use, noted), key);
  const { dataDir } = place;
  const result = await withWorkspace(dataDir, ({ tokens }) => use(tokens));
  for (const entry of noted) noteCommandIn(join(dataDir, 'records.db'), entry, key);
  return result;
}

async function inStore<Result>(
  store: PostgresStore,
  use: (tokens: TokenStore) => Promise<Result>,
  noted: readonly CommandEntry[],
): Promise<Result> {
  const { workspace, mirror } = await openPassingWorkspace(store);
  try {
    const result = await use(workspace.tokens);
    await mirror.settle();
    if (noted.length > 0) await store.audit.add(noted.map(commandEntry));
    return result;
  } finally {
    await workspace.close();
  }
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 7 * 86_400 };

/**
 * Seconds of a span such as `30m`, `12h`, `90d` or `4w`.
 *
 * @throws Error with a sentence.
 */
export function lifetimeOf(text: string): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,6})([mhdw])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  if (count === undefined || seconds === undefined) {
    throw new Error('--expires needs a number with m, h, d or w: 30m, 12h, 90d, 4w.');
  }
  return Number(count) * seconds;
}
