/** `chartkeeper token`: makes, lists and revokes tokens in a data folder that no server holds. */
import { join, resolve } from 'node:path';
import { checkTokenRequest, ownerName, tokenState, type TokenSummary } from '../core/app/tokens.ts';
import type { SealKey } from './store/audit-chain.ts';
import { noteCommandIn, type CommandEntry } from './store/audit-note.ts';
import { openWorkspace } from './workspace/workspace.ts';
import type { TokenStore } from './workspace/tokens.ts';
import { lifetimeOf } from './access/lifetime.ts';

export interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  /** Such as `90d`. */
  readonly expires?: string;
}

/** Makes a token and prints its id and the token, which is told this once. */
export async function createToken(dataDir: string, options: CreateOptions, key?: SealKey): Promise<void> {
  const expiresIn = options.expires === undefined ? undefined : lifetimeOf(options.expires);
  const { name, scope: scopes } = options;
  const check = checkTokenRequest({ name, scopes, ...(expiresIn !== undefined && { expiresIn }) });
  if ('problems' in check) throw new Error(check.problems.map(({ text }) => text).join('\n'));
  const { id, token } = await withTokens(dataDir, (tokens) => tokens.mint(check.value));
  note(dataDir, { action: 'token-create', what: id, who: ownerName }, key);
  process.stdout.write(`id     ${id}\ntoken  ${token}\n`);
  process.stderr.write('Keep the token now: only its hash is stored.\n');
}

/** Prints a line for each token, newest first. */
export async function listTokens(dataDir: string): Promise<void> {
  const tokens = await withTokens(dataDir, (store) => store.list());
  const rows = [heading, ...tokens.map((token) => rowOf(token, Date.now()))];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

/** Ends a token; the next request with it, or with what it obtained, is refused. */
export async function revokeToken(dataDir: string, id: string, key?: SealKey): Promise<void> {
  const revoked = await withTokens(dataDir, (tokens) => tokens.revoke(id));
  if (!revoked) throw new Error('No token has this id; `token list` names them.');
  note(dataDir, { action: 'token-revoke', what: id, who: ownerName }, key);
  process.stdout.write(`${revoked.name} is revoked.\n`);
}

const heading = ['ID', 'NAME', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'];

function rowOf(token: TokenSummary, now: number): string[] {
  const { id, name, scopes, expires = 'never', lastUsed = 'never' } = token;
  return [id, name, tokenState(token, now), scopes.join(' '), expires, lastUsed];
}

function note(dataDir: string, entry: CommandEntry, key: SealKey | undefined): void {
  noteCommandIn(join(resolve(dataDir), 'records.db'), entry, key);
}

async function withTokens<Result>(
  dataDir: string,
  use: (tokens: TokenStore) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace(join(resolve(dataDir), 'workspace.db'));
  try {
    return await use(workspace.tokens);
  } finally {
    await workspace.close();
  }
}
