/** The key of the audit trail's seals: from a file that its owner alone may read, or from the system's key-ring. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isAccessibleToOthers } from './access/private-file.ts';
import { createToken } from './access/secret.ts';
import type { SecretStore } from './gateway/secrets.ts';
import { isKeyed, sealKey, type SealKey } from './store/audit-chain.ts';
import { codeOf } from './store/store-error.ts';
import { syncFolder } from './store/sqlite/sync.ts';
import { headIn } from './store/sqlite/audit-loss.ts';

/** One line of at least 32 characters. */
const form = /^[!-~]{32,}$/;

/**
 * The key in a file; undefined where none is named.
 *
 * @throws Error with a sentence where the file is not there, is open to other accounts, or holds no key.
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
  if (form.test(secret)) return sealKey(Buffer.from(secret));
  throw new Error(
    `--audit-key-file: ${file} contains no key. Expected: one line of at least 32 letters, digits or symbols.`,
  );
}

/** The same; the file is made with a new key where it is not there. */
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

/** Under which name a key-ring keeps the key. */
const keptAs = 'audit key';

/**
 * The key that the system's key-ring keeps, a new one where it has none; undefined where there is no key-ring. Where the
 * trail is sealed with a key that the key-ring does not give out today, no other takes its place.
 */
export async function auditKeyKept(secrets: SecretStore, records: string): Promise<SealKey | undefined> {
  if (secrets.backend !== 'system') return undefined;
  const kept = await secrets.get(keptAs);
  if (kept !== undefined) return sealKey(Buffer.from(kept));
  const seal = headIn(records)?.seal;
  if (seal && isKeyed(seal)) return undefined;
  const made = createToken();
  return secrets.set(keptAs, made).then(
    () => sealKey(Buffer.from(made)),
    () => undefined,
  );
}
