import { codeLifetime } from '../../core/app/sign-in.ts';
import type { Grant } from './principal.ts';
import { hashToken, newToken } from './secret.ts';
import { takeLeft, type IssuedCode } from './link-files.ts';

/** Why a code gives nothing. */
export type CodeFault = 'used' | 'old' | 'unknown';

export interface SignInCodes {
  issue(grant: Grant): IssuedCode | Promise<IssuedCode>;
  /** What a code gives, this once. */
  take(code: string): Grant | CodeFault | Promise<Grant | CodeFault>;
}

/** How long a code is still called used or old rather than unknown. */
const remembered = 24 * codeLifetime;

interface HeldCode {
  readonly grant: Grant;
  readonly expires: number;
  used: boolean;
}

/**
 * Codes by their SHA-256, in memory: a restart ends those that were issued here. What `chartkeeper link` left in the data
 * folder is looked for there when someone comes with it.
 */
export function signInCodes(dataDir: string, clock: () => number) {
  const held = new Map<string, HeldCode>();

  function forgetOld(now: number): void {
    for (const [sha256, { expires }] of held) {
      if (expires + remembered > now) return;
      held.delete(sha256);
    }
  }

  function find(sha256: string): HeldCode | undefined {
    const known = held.get(sha256);
    if (known) return known;
    const left = takeLeft(dataDir, sha256);
    const found = left && { ...left, used: false };
    if (found) held.set(sha256, found);
    return found;
  }

  return {
    issue(grant: Grant): IssuedCode {
      const now = clock();
      forgetOld(now);
      const code = newToken();
      const expires = now + codeLifetime;
      held.set(hashToken(code), { grant, expires, used: false });
      return { code, expires };
    },
    take(code: string): Grant | CodeFault {
      const found = find(hashToken(code));
      if (!found) return 'unknown';
      if (found.used) return 'used';
      if (found.expires <= clock()) return 'old';
      found.used = true;
      return found.grant;
    },
  };
}
