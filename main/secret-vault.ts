import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { SecretBackend } from '../core/app/connections.ts';
import type { SecretAnswer, SecretQuestion } from '../core/app/server-messages.ts';
import { members, parseAs } from '../core/json/shape.ts';
import { writeAtomically } from './atomic-file.ts';
import type { Log } from './log.ts';
import type { Cipher } from './system-cipher.ts';

/** Keeps the secrets of connections for the server process; nothing else asks for them. */
export interface SecretVault {
  readonly backend: SecretBackend;
  /** Answers in the order of the questions; never rejects. */
  readonly answer: (question: SecretQuestion) => Promise<SecretAnswer>;
}

interface Shelf {
  get(id: string): Promise<string | undefined>;
  /** Throws where the change could not be kept; what was kept before stays. */
  set(id: string, secret: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/** For the session: in the shell's memory, where a restart of the server process does not end them. */
function memoryShelf(): Shelf {
  const held = new Map<string, string>();
  return {
    get: (id) => Promise.resolve(held.get(id)),
    set: (id, secret) => Promise.resolve(void held.set(id, secret)),
    delete: (id) => Promise.resolve(void held.delete(id)),
  };
}

const Ciphertexts = v.pipe(members, v.record(v.string(), v.string()));

/** A file of one JSON object: ids and ciphertexts, base64. Undefined where it holds something else, or cannot be read. */
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

/** Before a file that is no longer what was written there: a secret that is kept would end all others. */
const closedShelf: Shelf = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.reject(new Error('The file is left as it is.')),
  delete: () => Promise.reject(new Error('The file is left as it is.')),
};

function fileShelf(file: string, cipher: Cipher, log: Log): Shelf {
  const read = readCiphertexts(file);
  if (!read) {
    log('secrets: the file holds something else and is left as it is; move it away to keep secrets again');
    return closedShelf;
  }
  let held: ReadonlyMap<string, string> = read;
  const keep = (next: ReadonlyMap<string, string>) => {
    writeAtomically(file, `${JSON.stringify(Object.fromEntries(next))}\n`);
    held = next;
  };
  const set = async (id: string, secret: string) => {
    const ciphertext = (await cipher.encrypt(secret)).toString('base64');
    keep(new Map(held).set(id, ciphertext));
  };
  return {
    async get(id) {
      const ciphertext = held.get(id);
      if (ciphertext === undefined) return undefined;
      try {
        const { text, isStale } = await cipher.decrypt(Buffer.from(ciphertext, 'base64'));
        if (isStale) await set(id, text).catch(() => log('secrets: one could not be encrypted anew'));
        return text;
      } catch {
        // Of another account, or the keychain is closed: it is asked for again, and the file stays.
        log('secrets: one could not be decrypted');
        return undefined;
      }
    },
    set,
    delete(id) {
      const next = new Map(held);
      if (next.delete(id)) keep(next);
      return Promise.resolve();
    },
  };
}

async function ask(shelf: Shelf, question: SecretQuestion): Promise<SecretAnswer> {
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

/** Returns the vault: encrypted in `file` where the system has a cipher, else in memory until the application ends. */
export function createSecretVault(options: {
  readonly cipher: Cipher | undefined;
  readonly file: string;
  readonly log: Log;
}): SecretVault {
  const { cipher, file, log } = options;
  const shelf = cipher === undefined ? memoryShelf() : fileShelf(file, cipher, log);
  let last: Promise<unknown> = Promise.resolve();
  return {
    backend: cipher === undefined ? 'session' : 'system',
    answer(question) {
      const answered = last.then(async () => {
        try {
          return await ask(shelf, question);
        } catch {
          log('secrets: a change could not be kept');
          return { type: 'secret', ask: question.ask, done: false } as const;
        }
      });
      last = answered;
      return answered;
    },
  };
}
