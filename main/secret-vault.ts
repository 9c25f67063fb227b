import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { SecretBackend } from '../core/app/connections.ts';
import type { SecretResponse, SecretRequest } from '../core/app/server-messages.ts';
import { members, parseAs } from '../core/json/shape.ts';
import { writeAtomically } from './atomic-file.ts';
import type { Log } from './log.ts';
import type { Cipher } from './system-cipher.ts';

/** Stores the secrets of connections for the server process. Nothing else requests them. */
export interface SecretVault {
  readonly backend: SecretBackend;
  /** Answers requests in order. Never rejects. */
  readonly answer: (question: SecretRequest) => Promise<SecretResponse>;
}

interface SecretStorage {
  get(id: string): Promise<string | undefined>;
  /** Rejects if the change could not be stored. The previous value stays. */
  set(id: string, secret: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Stores secrets in the memory of the shell, so that a restart of the server process does not lose them. */
function createMemoryStorage(): SecretStorage {
  const secretsById = new Map<string, string>();
  return {
    get: (id) => Promise.resolve(secretsById.get(id)),
    set: (id, secret) => Promise.resolve(void secretsById.set(id, secret)),
    delete: (id) => Promise.resolve(void secretsById.delete(id)),
  };
}

const Ciphertexts = v.pipe(members, v.record(v.string(), v.string()));

/**
 * Reads a file with a JSON object of ids and base64 ciphertexts. Returns undefined if it is invalid or cannot
 * be read.
 */
function readCiphertexts(file: string): Map<string, string> | undefined {
  try {
    const texts = parseAs(Ciphertexts, readFileSync(file, 'utf8'));
    return texts && new Map(Object.entries(texts));
  } catch (error) {
    return isMissing(error) ? new Map() : undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Protects a file with unexpected content: storing a secret would overwrite all others. */
const createClosedStorage: SecretStorage = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.reject(new Error('The file was not changed.')),
  delete: () => Promise.reject(new Error('The file was not changed.')),
};

function createFileStorage(file: string, cipher: Cipher, log: Log): SecretStorage {
  const storedCiphertexts = readCiphertexts(file);
  if (!storedCiphertexts) {
    log('secrets: the file is not a secrets file and was not changed; move it away to store secrets again');
    return createClosedStorage;
  }
  let ciphertexts: ReadonlyMap<string, string> = storedCiphertexts;
  const saveCiphertexts = (nextCiphertexts: ReadonlyMap<string, string>) => {
    writeAtomically(file, `${JSON.stringify(Object.fromEntries(nextCiphertexts))}\n`);
    ciphertexts = nextCiphertexts;
  };
  const set = async (id: string, secret: string) => {
    const ciphertext = (await cipher.encrypt(secret)).toString('base64');
    saveCiphertexts(new Map(ciphertexts).set(id, ciphertext));
  };
  return {
    async get(id) {
      const ciphertext = ciphertexts.get(id);
      if (ciphertext === undefined) return undefined;
      try {
        const { text, isStale } = await cipher.decrypt(Buffer.from(ciphertext, 'base64'));
        if (isStale) await set(id, text).catch(() => log('secrets: one could not be encrypted again'));
        return text;
      } catch {
        // Encrypted for another account, or the keychain is locked. The user is asked again, and the file
        // stays.
        log('secrets: one could not be decrypted');
        return undefined;
      }
    },
    set,
    delete(id) {
      const nextCiphertexts = new Map(ciphertexts);
      if (nextCiphertexts.delete(id)) saveCiphertexts(nextCiphertexts);
      return Promise.resolve();
    },
  };
}

async function ask(shelf: SecretStorage, question: SecretRequest): Promise<SecretResponse> {
  const answer = { type: 'secret', ask: question.ask } as const;
  switch (question.act) {
    case 'get': {
      const secret = await shelf.get(question.id);
      return { ...answer, done: true, ...(secret !== undefined && { secret }) };
    }
    case 'set':
      await shelf.set(question.id, question.secret);
      return { ...answer, done: true };
    case 'delete':
      await shelf.delete(question.id);
      return { ...answer, done: true };
  }
}

/**
 * Creates the vault: encrypted in `file` if the system has a cipher, otherwise in memory until the
 * application ends.
 */
export function createSecretVault(options: {
  readonly cipher: Cipher | undefined;
  readonly file: string;
  readonly log: Log;
}): SecretVault {
  const { cipher, file, log } = options;
  const shelf = cipher === undefined ? createMemoryStorage() : createFileStorage(file, cipher, log);
  let previousRequest: Promise<unknown> = Promise.resolve();
  return {
    backend: cipher === undefined ? 'session' : 'system',
    answer(question) {
      const response = previousRequest.then(async () => {
        try {
          return await ask(shelf, question);
        } catch {
          log('secrets: a change could not be stored');
          return { type: 'secret', ask: question.ask, done: false } as const;
        }
      });
      previousRequest = response;
      return response;
    },
  };
}
