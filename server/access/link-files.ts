/**
 * Code files connect `chartkeeper link` with a running server. The command writes a file named by the
 * SHA-256 of a code. The server removes the file when the code is used.
 *
 * Write access to the folder means permission to sign in. Files of other accounts, or writable by them, are
 * ignored.
 */
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { codeLifetime } from '../../core/app/sign-in.ts';
import { parseAs } from '../../core/json/shape.ts';
import { isAccessibleToOthers } from './private-file.ts';
import { owner, type Grant } from './principal.ts';
import { hashToken, createToken } from './secret.ts';

export interface IssuedCode {
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const addressFile = 'sign-in-address';
const linkFile = /^sign-in-[0-9a-f]{64}$/;

const LeftCode = v.object({ expires: v.number() });

/** Removes the file of a code and returns its grant. Undefined without a valid file. */
export function consumeCodeFile(
  dataDir: string,
  sha256: string,
): { readonly grant: Grant; readonly expires: number } | undefined {
  const path = join(dataDir, `sign-in-${sha256}`);
  if (!isPrivate(path)) return undefined;
  const fileContent = parseAs(LeftCode, readFileSync(path, 'utf8'));
  // Removed before use: otherwise a file that can't be removed would work again after a restart.
  rmSync(path);
  return fileContent && { grant: { name: owner.name, scopes: owner.scopes }, expires: fileContent.expires };
}

/** Creates a code with every scope in a data folder and removes expired files. */
export function createCodeFile(dataDir: string, now: number): IssuedCode {
  for (const name of readdirSync(dataDir).filter((fileName) => linkFile.test(fileName))) {
    const path = join(dataDir, name);
    if (statSync(path).mtimeMs + codeLifetime < now) rmSync(path, { force: true });
  }
  const code = createToken();
  const expires = now + codeLifetime;
  const path = join(dataDir, `sign-in-${hashToken(code)}`);
  writeFileSync(path, JSON.stringify({ expires }), { mode: 0o600, flag: 'wx' });
  return { code, expires };
}

function isPrivate(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return false;
  return (
    process.platform === 'win32' || (stats.uid === process.getuid?.() && !isAccessibleToOthers(stats.mode))
  );
}

/**
 * Stores the address of the server for commands. On failure, for example on a full disk, commands assume the
 * default port.
 */
export function storeServerAddress(dataDir: string, address: string): void {
  try {
    writeFileSync(join(dataDir, addressFile), address, { mode: 0o600 });
  } catch {
    removeAddressFile(dataDir);
  }
}

export function removeAddressFile(dataDir: string): void {
  rmSync(join(dataDir, addressFile), { force: true });
}

/** Returns the address of the folder's server. Undefined if none is running. */
export function readServerAddress(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, addressFile), 'utf8') || undefined;
  } catch {
    return undefined;
  }
}
