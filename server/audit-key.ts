/** Reads the key of the audit seals from a private file or from the key-ring of the system. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isAccessibleToOthers } from './access/private-file.ts';
import { createToken } from './access/secret.ts';
import type { SecretStore } from './gateway/secrets.ts';
import { isKeyed, sealKey, type SealKey } from './store/audit-chain.ts';
import { codeOf } from './store/store-error.ts';
import { syncFolder } from './sqlite/sync.ts';
import { headIn } from './store/sqlite/audit-loss.ts';

/** One line of at least 32 characters. */
const keyPattern = /^[!-~]{32,}$/;

/**
 * Reads the key from a file. Returns undefined without a file name.
 *
 * @throws Error if the file is missing, accessible to other accounts, or contains no key.
 */
export async function auditKeyIn(file: string | undefined): Promise<SealKey | undefined> {
  if (file === undefined) return undefined;
  const { mode } = await stat(file).catch(() => {
    throw new Error(`--audit-key-file: ${file} doesn’t exist, or you don’t have permission to read it.`);
  });
  if (isAccessibleToOthers(mode)) {
    throw new Error(`--audit-key-file: ${file} is accessible to other accounts. Run chmod 600 on it.`);
  }
  const secret = (await readFile(file, 'utf8')).trim();
  if (keyPattern.test(secret)) return sealKey(Buffer.from(secret));
  throw new Error(
    `--audit-key-file: ${file} contains no key. Expected: one line of at least 32 letters, digits or symbols.`,
  );
}

/** Reads the key from a file. Creates a missing file with a new key. */
export async function auditKeyMadeIn(file: string | undefined): Promise<SealKey | undefined> {
  if (file === undefined) return undefined;
  try {
    await writeFile(file, `${createToken()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    syncFolder(dirname(resolve(file)));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return auditKeyIn(file);
}

/** Name of the key in the key-ring. */
const keyRingEntry = 'audit key';

/**
 * Reads the key from the key-ring, or stores a new key there. Returns undefined without a key-ring. Also returns undefined
 * if the audit log is already sealed with a key that the key-ring does not return.
 */
export async function auditKeyKept(secrets: SecretStore, records: string): Promise<SealKey | undefined> {
  if (secrets.backend !== 'system') return undefined;
  const storedKey = await secrets.get(keyRingEntry);
  if (storedKey !== undefined) return sealKey(Buffer.from(storedKey));
  const seal = headIn(records)?.seal;
  if (seal && isKeyed(seal)) return undefined;
  const newKey = createToken();
  return secrets.set(keyRingEntry, newKey).then(
    () => sealKey(Buffer.from(newKey)),
    () => undefined,
  );
}
