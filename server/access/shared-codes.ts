import * as v from 'valibot';
import { codeLifetime } from '../../core/app/sign-in.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { Grant } from './principal.ts';
import type { SignInCodes } from './sign-in-codes.ts';
import { hashToken, newToken } from './secret.ts';

/** A code as servers share it: its SHA-256, and what it gives, as JSON. */
interface KeptCode {
  readonly sha256: string;
  readonly granted: string;
  readonly expires: number;
}

/** Where codes are kept that any of the servers takes. */
export interface KeptCodes {
  add(code: KeptCode): Promise<void>;
  /** This once. */
  take(sha256: string): Promise<KeptCode | 'used' | undefined>;
}

/** All of a grant: one that is left out here would be lost on the way to another server. */
const Granted = v.object({
  name: v.string(),
  scopes: v.array(v.string()),
  mintedBy: v.exactOptional(v.string()),
  subject: v.exactOptional(v.string()),
} satisfies Record<keyof Grant, v.GenericSchema>);

/** Codes that any of the servers of a store takes, whichever gave them; `own` are those of this one's command line. */
export function sharedCodes(own: SignInCodes, kept: KeptCodes, clock: () => number): SignInCodes {
  return {
    async issue(grant) {
      const code = newToken();
      const expires = clock() + codeLifetime;
      await kept.add({ sha256: hashToken(code), granted: JSON.stringify(grant), expires });
      return { code, expires };
    },
    async take(code) {
      const here = await own.take(code);
      if (here !== 'unknown') return here;
      const found = await kept.take(hashToken(code));
      if (found === undefined || found === 'used') return found ?? 'unknown';
      if (found.expires <= clock()) return 'old';
      return parseAs(Granted, found.granted) ?? 'unknown';
    },
  };
}
