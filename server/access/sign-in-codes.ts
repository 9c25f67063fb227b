import { codeLifetime } from '../../core/app/sign-in.ts';
import type { Grant } from './principal.ts';
import { hashToken, createToken } from './secret.ts';
import { consumeCodeFile, type IssuedCode } from './link-files.ts';

/** Reason why a code grants nothing. */
export type SignInCodeErrorCode = 'used' | 'old' | 'unknown';

export interface SignInCodes {
  issue(grant: Grant): IssuedCode | Promise<IssuedCode>;
  /** Consumes a code and returns its grant. */
  consume(code: string): Grant | SignInCodeErrorCode | Promise<Grant | SignInCodeErrorCode>;
}

/** Milliseconds for which a code counts as used or expired and not as unknown. */
const retentionMs = 24 * codeLifetime;

interface CachedCode {
  readonly grant: Grant;
  readonly expires: number;
  used: boolean;
}

/**
 * Creates codes in memory by SHA-256. A restart ends them.
 *
 * Codes of `chartkeeper link` are read from the data folder when they are used.
 */
export function createSignInCodes(dataDir: string, clock: () => number) {
  const codesBySha256 = new Map<string, CachedCode>();

  function removeOld(now: number): void {
    for (const [sha256, { expires }] of codesBySha256) {
      if (expires + retentionMs > now) return;
      codesBySha256.delete(sha256);
    }
  }

  function find(sha256: string): CachedCode | undefined {
    const cachedCode = codesBySha256.get(sha256);
    if (cachedCode) return cachedCode;
    const fileCode = consumeCodeFile(dataDir, sha256);
    const newCode = fileCode && { ...fileCode, used: false };
    if (newCode) codesBySha256.set(sha256, newCode);
    return newCode;
  }

  return {
    issue(grant: Grant): IssuedCode {
      const now = clock();
      removeOld(now);
      const code = createToken();
      const expires = now + codeLifetime;
      codesBySha256.set(hashToken(code), { grant, expires, used: false });
      return { code, expires };
    },
    consume(code: string): Grant | SignInCodeErrorCode {
      const cachedCode = find(hashToken(code));
      if (!cachedCode) return 'unknown';
      if (cachedCode.used) return 'used';
      if (cachedCode.expires <= clock()) return 'old';
      cachedCode.used = true;
      return cachedCode.grant;
    },
  };
}
