import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isAccessibleToOthers } from '../access/private-file.ts';
import { createToken } from '../access/secret.ts';
import { codeOf } from '../store/store-error.ts';
import { syncFolder } from '../sqlite/sync.ts';

/** Reasons to reject a token file, with their exit codes. */
const tokenFaults = { open: 30, weak: 31 } as const;

/** An unusable token file. The message contains the command that resolves the problem. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
  readonly exitCode: number;

  constructor(fault: keyof typeof tokenFaults, message: string) {
    super(message);
    this.exitCode = tokenFaults[fault];
  }
}

/** Characters of the shortest accepted token: 128 bits of random hexadecimal digits. */
const minTokenLength = 32;

/** Reads a token from a file. Creates a missing file with a new token and mode 0600. */
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
  const storedToken = (await readFile(file, 'utf8')).trim();
  // A power cut can leave an empty file. Its token was never shown.
  if (storedToken === '') return write('w');
  if (storedToken.length >= minTokenLength && /^[A-Za-z0-9._~+/-]+=*$/.test(storedToken)) return storedToken;
  throw new TokenFileError(
    'weak',
    `${file} has no token of at least ${minTokenLength} letters, digits, hyphens or underscores on one line. Run rm '${file}'; the next start creates one of 256 random bits.`,
  );
}
