/** Targets of commands: a data folder that no server uses, or a store shared by running servers. */
import { join } from 'node:path';
import { dataDirOf } from './command-options.ts';
import { readFlag, type RawFlags } from './read-flags.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { FileStore } from '../store/store.ts';
import { loadShared } from '../shared-edition.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

/** Path of a data folder, or address of a shared store. */
export type CommandTarget = { readonly dataDir: string } | { readonly address: string };

/**
 * Returns the target of the flags. `--data` overrides the environment variable of `--store`.
 *
 * @throws Error if both flags are given.
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

/** Loads the commands for a shared store. */
export const loadSharedCommands = () => loadShared(import('../shared/commands.ts'));

/** Runs `use` with the records of a data folder. Holds the lock of the folder meanwhile. */
export async function withRecords(
  dataDir: string,
  use: (store: FileStore) => Promise<void>,
  key?: SealKey,
): Promise<void> {
  const { openRecordStore } = await import('../store/sqlite/sqlite-store.ts');
  const store = await openRecordStore(join(dataDir, 'records.db'), undefined, key);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

/** Runs `use` with the workspace of a data folder. Holds the lock of the folder meanwhile. */
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
