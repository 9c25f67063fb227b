import * as v from 'valibot';
import { codeLifetime } from '../../core/app/sign-in.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { IssuedCode } from './link-files.ts';
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
  until: v.exactOptional(v.number()),
  maker: v.exactOptional(v.string()),
} satisfies Record<keyof Grant, v.GenericSchema>);

/** Gives a code that any of the servers of a store takes. */
export async function issueShared(
  kept: Pick<KeptCodes, 'add'>,
  grant: Grant,
  now: number,
): Promise<IssuedCode> {
  const code = newToken();
  const expires = now + codeLifetime;
  await kept.add({ sha256: hashToken(code), granted: JSON.stringify(grant), expires });
  return { code, expires };
}

/** Codes that any of the servers of a store takes, whichever gave them; `left` are those that commands left in this one's folder. */
export function sharedCodes(left: SignInCodes, kept: KeptCodes, clock: () => number): SignInCodes {
  return {
    issue: (grant) => issueShared(kept, grant, clock()),
    async take(code) {
      const here = await left.take(code);
      if (here !== 'unknown') return here;
      const found = await kept.take(hashToken(code));
      if (found === undefined || found === 'used') return found ?? 'unknown';
      if (found.expires <= clock()) return 'old';
      return parseAs(Granted, found.granted) ?? 'unknown';
    },
  };
}
