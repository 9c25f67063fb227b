/**
 * Where the secrets of connections are kept. Implemented here for the session and for a file; the shell brings one of
 * its own, over messages, where the system has a keychain.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { SecretBackend } from '../../core/app/connections.ts';
import type { SecretKind } from '../../core/app/secret-places.ts';
import { members, parseAs } from '../../core/json/shape.ts';
import { isOpenToOthers } from '../access/private-file.ts';

export interface SecretStore {
  readonly backend: SecretBackend;
  get(id: string): Promise<string | undefined>;
  /** Rejects with {@link SecretStoreError}, as `delete` does. */
  set(id: string, secret: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Under which name a secret of a connection is kept. */
export function secretKey(id: string, kind: SecretKind): string {
  return kind === 'secret' ? id : `${id}:${kind}`;
}

/** A secret could not be kept or removed; the sentence says why and quotes nothing of it. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError';
}

/** Keeps secrets in memory, until the server ends. */
export function sessionSecrets(): SecretStore {
  const held = new Map<string, string>();
  return {
    backend: 'session',
    get: (id) => Promise.resolve(held.get(id)),
    set(id, secret) {
      held.set(id, secret);
      return Promise.resolve();
    },
    delete(id) {
      held.delete(id);
      return Promise.resolve();
    },
  };
}

/**
 * Keeps secrets in a file of one JSON object, readable by its owner alone; made with the first secret. Rejects with a
 * sentence where the file is open to others or holds something else.
 */
export async function fileSecrets(path: string): Promise<SecretStore> {
  let held: ReadonlyMap<string, string> = await readSecrets(path);
  let writing: Promise<void> = Promise.resolve();
  /** One change after the other; what could not be written does not count. */
  const change = (edit: (secrets: Map<string, string>) => void) => {
    const changed = writing.then(async () => {
      const next = new Map(held);
      edit(next);
      await writeSecrets(path, next);
      held = next;
    });
    writing = changed.catch(() => undefined);
    return changed;
  };
  return {
    backend: 'file',
    get: (id) => Promise.resolve(held.get(id)),
    set: (id, secret) => change((secrets) => secrets.set(id, secret)),
    delete: (id) => (held.has(id) ? change((secrets) => secrets.delete(id)) : Promise.resolve()),
  };
}

const Texts = v.pipe(members, v.record(v.string(), v.string()));

async function readSecrets(path: string): Promise<Map<string, string>> {
  const mode = await stat(path).then(
    (stats) => (stats.isFile() ? stats.mode : undefined),
    (error: unknown) => (isMissing(error) ? 'missing' : undefined),
  );
  if (mode === 'missing') return new Map();
  if (mode === undefined) throw new Error(`${path} cannot be read as a file of secrets.`);
  if (isOpenToOthers(mode)) {
    throw new Error(`${path} is open to other accounts. Close it with chmod 600, then start again.`);
  }
  const texts = parseAs(Texts, await readFile(path, 'utf8'));
  if (texts) return new Map(Object.entries(texts));
  throw new Error(
    `${path} is no file of secrets: one JSON object of texts is expected. It was left as it is.`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';
}

/** Written beside the file and put in its place, so that a crash leaves the old or the new one. */
async function writeSecrets(path: string, secrets: ReadonlyMap<string, string>): Promise<void> {
  const beside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(Object.fromEntries(secrets))}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw new SecretStoreError(
      'The file of secrets cannot be written; nothing was changed. Check its folder and the free space.',
      { cause: error },
    );
  }
}
