/** Commands for a shared store, while servers may use it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { owner } from '../access/principal.ts';
import type { PackagesParts } from '../packages/packages.ts';
import { commandEntry, type SealKey, type CommandEntry } from '../store/audit-chain.ts';
import type { TokenStore } from '../workspace/tokens.ts';
import { mirrorOf } from './package-mirror.ts';
import { openWithoutDerivations, type PostgresStore } from './postgres/postgres-store.ts';
import { issueShared } from './sign-in-codes.ts';
import { openPassingWorkspace } from './workspace.ts';

/** Creates a sign-in code of the owner. */
export function issueCode(address: string): Promise<string> {
  return withStore(address, async ({ codes }) => (await issueShared(codes, owner, Date.now())).code);
}

/** Runs `use` with the tokens. Then adds the entries to the audit log, sealed with the key, if there is one. */
export function runWithTokens<Result>(
  address: string,
  use: (tokens: TokenStore) => Promise<Result>,
  auditEntries: readonly CommandEntry[],
  key?: SealKey,
): Promise<Result> {
  return withStore(
    address,
    async (store) => {
      const { workspace, mirror } = await openPassingWorkspace(store);
      try {
        const result = await use(workspace.tokens);
        await mirror.settle();
        if (auditEntries.length > 0) await store.audit.add(auditEntries.map(commandEntry));
        return result;
      } finally {
        await workspace.close();
      }
    },
    key,
  );
}

/** Runs the work on packages in a temporary folder. Servers have their own copies. */
export function runWithPackages<Result>(
  address: string,
  work: (parts: Omit<PackagesParts, 'log'>) => Promise<Result>,
): Promise<Result> {
  return withStore(address, async ({ archives }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-packages-'));
    try {
      return await work({ dataDir, createMirror: (parts) => mirrorOf(archives, parts) });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

async function withStore<Result>(
  address: string,
  use: (store: PostgresStore) => Promise<Result>,
  key?: SealKey,
): Promise<Result> {
  const store = await openWithoutDerivations(address, key);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
