/**
 * Stores the secrets of connections, in memory or in a file. The desktop shell adds one that uses the
 * system keychain over messages.
 */
import { readFile, stat } from 'node:fs/promises';
import * as v from 'valibot';
import type { SecretBackend } from '../../core/app/connections.ts';
import type { SecretKind } from '../../core/app/secret-places.ts';
import { members, parseAs } from '../../core/json/shape.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { isAccessibleToOthers, replacePrivateFile } from '../access/private-file.ts';

const messages = defineMessages('gateway.secrets', {
  unwritable: 'Can’t write the secrets file; nothing was changed. Check its folder and the free disk space.',
});

export interface SecretStore {
  readonly backend: SecretBackend;
  get(id: string): Promise<string | undefined>;
  /** Rejects with {@link SecretStoreError}, as `delete` does. */
  set(id: string, secret: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Returns the storage key of a secret. */
export function secretKey(id: string, kind: SecretKind): string {
  return kind === 'secret' ? id : `${id}:${kind}`;
}

/** A secret could not be stored or removed. The message quotes nothing of it. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError';
  readonly sentence: Message;

  constructor(sentence: Message, options?: ErrorOptions) {
    super(sentence.text, options);
    this.sentence = sentence;
  }
}

/** Stores secrets in memory until the server stops. */
export function sessionSecrets(): SecretStore {
  const secretsByKey = new Map<string, string>();
  return {
    backend: 'session',
    get: (id) => Promise.resolve(secretsByKey.get(id)),
    set(id, secret) {
      secretsByKey.set(id, secret);
      return Promise.resolve();
    },
    delete(id) {
      secretsByKey.delete(id);
      return Promise.resolve();
    },
  };
}

/**
 * Stores secrets in a file of one JSON object with mode 0600. Creates it with the first secret. Rejects if
 * others can access the file or if its content is not valid.
 */
export async function fileSecrets(path: string): Promise<SecretStore> {
  let storedSecrets: ReadonlyMap<string, string> = await readSecrets(path);
  let pendingWrite: Promise<void> = Promise.resolve();
  /** Applies one change at a time. A change that cannot be written has no effect. */
  const change = (edit: (secrets: Map<string, string>) => void) => {
    const change = pendingWrite.then(async () => {
      const next = new Map(storedSecrets);
      edit(next);
      await writeSecrets(path, next);
      storedSecrets = next;
    });
    pendingWrite = change.catch(() => undefined);
    return change;
  };
  return {
    backend: 'file',
    get: (id) => Promise.resolve(storedSecrets.get(id)),
    set: (id, secret) => change((secrets) => secrets.set(id, secret)),
    delete: (id) => (storedSecrets.has(id) ? change((secrets) => secrets.delete(id)) : Promise.resolve()),
  };
}

const Texts = v.pipe(members, v.record(v.string(), v.string()));

async function readSecrets(path: string): Promise<Map<string, string>> {
  const mode = await stat(path).then(
    (stats) => (stats.isFile() ? stats.mode : undefined),
    (error: unknown) => (isMissing(error) ? 'missing' : undefined),
  );
  if (mode === 'missing') return new Map();
  if (mode === undefined) throw new Error(`Can’t read ${path} as a secrets file.`);
  if (isAccessibleToOthers(mode)) {
    throw new Error(`${path} is accessible to other accounts. Run chmod 600 on it, then start again.`);
  }
  const texts = parseAs(Texts, await readFile(path, 'utf8'));
  if (texts) return new Map(Object.entries(texts));
  throw new Error(`${path} is not a secrets file: a JSON object of strings is expected. It was not changed.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';
}

async function writeSecrets(path: string, secrets: ReadonlyMap<string, string>): Promise<void> {
  try {
    await replacePrivateFile(path, `${JSON.stringify(Object.fromEntries(secrets))}\n`);
  } catch (error) {
    throw new SecretStoreError(messages.unwritable(), { cause: error });
  }
}
