import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isAccessibleToOthers } from '../access/private-file.ts';
import { createToken } from '../access/secret.ts';
import { codeOf } from '../store/store-error.ts';
import { syncFolder } from '../store/sqlite/sync.ts';

/** Why a token file is refused, with the exit code that tells it to a program. */
const tokenFaults = { open: 30, weak: 31 } as const;

/** A token file cannot be used; the sentence holds the command that mends it. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
  readonly exitCode: number;

  constructor(fault: keyof typeof tokenFaults, message: string) {
    super(message);
    this.exitCode = tokenFaults[fault];
  }
}

/** Characters of the shortest token that is taken: 128 bits, where they are random hexadecimal digits. */
const shortest = 32;

/** The token that a file holds; the file is made with a new one, readable by its owner alone, where there is none. */
export async function tokenIn(file: string): Promise<string> {
  const token = createToken();
  const write = async (flag: 'wx' | 'w') => {
    await writeFile(file, `${token}\n`, { mode: 0o600, flag, flush: true });
    syncFolder(dirname(resolve(file)));
    return token;
  };
  try {
    return await write('wx');
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const { mode } = await stat(file);
  if (isAccessibleToOthers(mode)) {
    throw new TokenFileError(
      'open',
      `${file} is accessible to other accounts, so its token may be known to them. Run rm '${file}'; the next start creates a new token. If no one else had access, chmod 600 '${file}' is enough.`,
    );
  }
  const held = (await readFile(file, 'utf8')).trim();
  // What a power cut leaves between the file's name and its bytes: nobody was told that token.
  if (held === '') return write('w');
  if (held.length >= shortest && /^[A-Za-z0-9._~+/-]+=*$/.test(held)) return held;
  throw new TokenFileError(
    'weak',
    `${file} has no token of at least ${shortest} letters, digits, hyphens or underscores on one line. Run rm '${file}'; the next start creates one of 256 random bits.`,
  );
}
