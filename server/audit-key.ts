/** The key of the audit trail's seals: from a file that its owner alone may read, or from the system's key-ring. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isOpenToOthers } from './access/private-file.ts';
import { newToken } from './access/secret.ts';
import type { SecretStore } from './gateway/secrets.ts';
import { isKeyed, sealKey, type SealKey } from './store/audit-chain.ts';
import { codeOf } from './store/store-error.ts';
import { syncFolder } from './store/sqlite/sync.ts';
import { headIn } from './store/sqlite/trail-loss.ts';

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
    throw new Error(`--audit-key-file: ${file} is not there, or this account may not read it.`);
  });
  if (isOpenToOthers(mode)) {
    throw new Error(`--audit-key-file: ${file} is open to other accounts. Close it with chmod 600.`);
  }
  const secret = (await readFile(file, 'utf8')).trim();
  if (form.test(secret)) return sealKey(Buffer.from(secret));
  throw new Error(
    `--audit-key-file: ${file} holds no key: one line of at least 32 letters, digits or signs.`,
  );
}

/** The same; the file is made with a new key where it is not there. */
export async function auditKeyMadeIn(file: string | undefined): Promise<SealKey | undefined> {
  if (file === undefined) return undefined;
  try {
    await writeFile(file, `${newToken()}\n`, { mode: 0o600, flag: 'wx', flush: true });
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
  const made = newToken();
  return secrets.set(keptAs, made).then(
    () => sealKey(Buffer.from(made)),
    () => undefined,
  );
}
