/**
 * How `chartkeeper link` and a server that may run beside it meet in the data folder: the command leaves a file that is
 * named after the SHA-256 of a code, and the server, asked for that code, takes the file away. Who may write into the
 * folder may sign in; the file of somebody else, or one that others may write, counts as none.
 */
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { codeLifetime } from '../../core/app/sign-in.ts';
import { parseAs } from '../../core/json/shape.ts';
import { isOpenToOthers } from './private-file.ts';
import { owner, type Grant } from './principal.ts';
import { hashToken, newToken } from './secret.ts';

export interface IssuedCode {
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const addressFile = 'sign-in-address';
const linkFile = /^sign-in-[0-9a-f]{64}$/;

const LeftCode = v.object({ expires: v.number() });

/** What a command left a code for in a data folder; its file is gone then. */
export function takeLeft(
  dataDir: string,
  sha256: string,
): { readonly grant: Grant; readonly expires: number } | undefined {
  const path = join(dataDir, `sign-in-${sha256}`);
  if (!isOwn(path)) return undefined;
  const left = parseAs(LeftCode, readFileSync(path, 'utf8'));
  // Gone before it counts: what cannot be taken away could be used again after a restart.
  rmSync(path);
  return left && { grant: { name: owner.name, scopes: owner.scopes }, expires: left.expires };
}

/** Leaves a code with every scope in a data folder, and takes those away that are too old. */
export function leaveCode(dataDir: string, now: number): IssuedCode {
  for (const name of readdirSync(dataDir).filter((one) => linkFile.test(one))) {
    const path = join(dataDir, name);
    if (statSync(path).mtimeMs + codeLifetime < now) rmSync(path, { force: true });
  }
  const code = newToken();
  const expires = now + codeLifetime;
  const path = join(dataDir, `sign-in-${hashToken(code)}`);
  writeFileSync(path, JSON.stringify({ expires }), { mode: 0o600, flag: 'wx' });
  return { code, expires };
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return false;
  return process.platform === 'win32' || (found.uid === process.getuid?.() && !isOpenToOthers(found.mode));
}

/** Tells commands where the folder's server answers; one that cannot be told, as on a full disk, guess its usual port. */
export function noteAddress(dataDir: string, address: string): void {
  try {
    writeFileSync(join(dataDir, addressFile), address, { mode: 0o600 });
  } catch {
    forgetAddress(dataDir);
  }
}

export function forgetAddress(dataDir: string): void {
  rmSync(join(dataDir, addressFile), { force: true });
}

/** Where the folder's server answers; undefined where none runs. */
export function addressIn(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, addressFile), 'utf8') || undefined;
  } catch {
    return undefined;
  }
}
