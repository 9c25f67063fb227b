/** `chartkeeper token`: creates, lists and revokes tokens of a shared store or of a data folder that no server uses. */
import { join } from 'node:path';
import { check } from '../../core/app/check.ts';
import { ownerName, TokenRequest, tokenState, type TokenSummary } from '../../core/app/tokens.ts';
import { loadSharedCommands, withWorkspace, type CommandTarget } from './command-place.ts';
import type { SealKey, CommandEntry } from '../store/audit-chain.ts';
import { noteCommandIn } from '../store/sqlite/audit-note.ts';
import type { TokenStore } from '../workspace/tokens.ts';

export interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  /** A lifetime such as `90d`. */
  readonly expires?: string;
}

/** Creates a token and prints its id and, only this once, the token. */
export async function createToken(
  target: CommandTarget,
  options: CreateOptions,
  key?: SealKey,
): Promise<void> {
  const expiresIn = options.expires === undefined ? undefined : lifetimeOf(options.expires);
  const { name, scope: scopes } = options;
  const request = check(TokenRequest, { name, scopes, ...(expiresIn !== undefined && { expiresIn }) });
  if ('problems' in request) throw new Error(request.problems.map(({ text }) => text).join('\n'));
  const work: Work<{ id: string; token: string }> = async (tokens, note) => {
    const createdToken = await tokens.mint(request.value);
    note({ action: 'token-create', what: createdToken.id, who: ownerName });
    return createdToken;
  };
  const { id, token } = await withTokens(target, work, key);
  process.stdout.write(`id     ${id}\ntoken  ${token}\n`);
  process.stderr.write('Store the token now: it is not shown again.\n');
}

/** Prints a line per token, newest first. */
export async function listTokens(target: CommandTarget): Promise<void> {
  const tokens = await withTokens(target, (store) => store.list());
  const rows = [heading, ...tokens.map((token) => rowOf(token, Date.now()))];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

/** Revokes a token and its sessions. Servers of a shared store reject both within seconds. */
export async function revokeToken(target: CommandTarget, id: string, key?: SealKey): Promise<void> {
  const work: Work<TokenSummary> = async (tokens, note) => {
    const revokedToken = await tokens.revoke(id);
    if (!revokedToken) throw new Error('There is no token with this ID. Run `token list`.');
    note({ action: 'token-revoke', what: id, who: ownerName });
    return revokedToken;
  };
  const { name } = await withTokens(target, work, key);
  process.stdout.write(`${name} revoked.\n`);
}

const heading = ['ID', 'NAME', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'];

function rowOf(token: TokenSummary, now: number): string[] {
  const { id, name, scopes, expires = 'never', lastUsed = 'never' } = token;
  return [id, name, tokenState(token, now), scopes.join(' '), expires, lastUsed];
}

/** Work on tokens. Noted entries are added to the audit log after the tokens are stored. */
type Work<Result> = (tokens: TokenStore, note: (entry: CommandEntry) => void) => Promise<Result>;

async function withTokens<Result>(target: CommandTarget, work: Work<Result>, key?: SealKey): Promise<Result> {
  const auditEntries: CommandEntry[] = [];
  const use = (tokens: TokenStore) => work(tokens, (entry) => auditEntries.push(entry));
  if ('address' in target)
    return (await loadSharedCommands()).runWithTokens(target.address, use, auditEntries, key);
  const { dataDir } = target;
  const result = await withWorkspace(dataDir, ({ tokens }) => use(tokens));
  for (const entry of auditEntries) noteCommandIn(join(dataDir, 'records.db'), entry, key);
  return result;
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 7 * 86_400 };

/**
 * Parses a lifetime such as `30m`, `12h`, `90d` or `4w` to seconds.
 *
 * @throws Error if the text has another form.
 */
export function lifetimeOf(text: string): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,6})([mhdw])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  if (count === undefined || seconds === undefined) {
    throw new Error('--expires needs a number with m, h, d or w: 30m, 12h, 90d, 4w.');
  }
  return Number(count) * seconds;
}
