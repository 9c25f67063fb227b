/** Where a command does its work: a data folder that no server holds, or a store that servers share and may be serving. */
import { join } from 'node:path';
import { dataDirOf } from './command-options.ts';
import { readFlag, type RawFlags } from './read-flags.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

/** A path, or the address of a shared store. */
export type CommandTarget = { readonly dataDir: string } | { readonly address: string };

/**
 * What the flags name, `--data` before the variable of `--store`.
 *
 * @throws Error with a sentence where both flags are given.
 */
export function resolveTarget(raw: RawFlags): CommandTarget {
  if (raw.data === undefined) {
    const address = readFlag('store', raw, process.env);
    if (address !== undefined) return { address };
  } else if (raw.store !== undefined) {
    throw new Error(
      'Use either --data (a folder with its own records) or --store (a store shared by servers).',
    );
  }
  return { dataDir: dataDirOf(raw) };
}

/** Opens a shared store beside its servers for one piece of work; what is noted is sealed with the key, where there is one. */
export async function withStore<Result>(
  address: string,
  use: (store: PostgresStore) => Promise<Result>,
  key?: SealKey,
): Promise<Result> {
  const { openWithoutDerivations: openBesideServers } = await import('../store/postgres/postgres-store.ts');
  const store = await openBesideServers(address, key);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Opens the workspace of a data folder, and with it the folder's lock, for one piece of work. */
export async function withWorkspace<Result>(
  dataDir: string,
  use: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace(join(dataDir, 'workspace.db'));
  try {
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}
