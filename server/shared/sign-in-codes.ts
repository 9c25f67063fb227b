import * as v from 'valibot';
import { codeLifetime } from '../../core/app/sign-in.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { IssuedCode } from '../access/link-files.ts';
import type { Grant } from '../access/principal.ts';
import type { SignInCodes } from '../access/sign-in-codes.ts';
import { hashToken, createToken } from '../access/secret.ts';

/** A code in the shared store: its SHA-256 and its grant as JSON. */
interface StoredCode {
  readonly sha256: string;
  readonly granted: string;
  readonly expires: number;
}

/** Store of the codes that any server accepts. */
export interface SharedCodeStore {
  add(code: StoredCode): Promise<void>;
  /** Consumes a code. */
  take(sha256: string): Promise<StoredCode | 'used' | undefined>;
}

/** All members of a grant. A member missing here would be lost between servers. */
const GrantJson = v.object({
  name: v.string(),
  scopes: v.array(v.string()),
  mintedBy: v.exactOptional(v.string()),
  subject: v.exactOptional(v.string()),
  until: v.exactOptional(v.number()),
  maker: v.exactOptional(v.string()),
} satisfies Record<keyof Grant, v.GenericSchema>);

/** Issues a code that any server of the store accepts. */
export async function issueShared(
  codes: Pick<SharedCodeStore, 'add'>,
  grant: Grant,
  now: number,
): Promise<IssuedCode> {
  const code = createToken();
  const expires = now + codeLifetime;
  await codes.add({ sha256: hashToken(code), granted: JSON.stringify(grant), expires });
  return { code, expires };
}

/**
 * Creates the codes of a shared store, which any of its servers accepts.
 *
 * @param folderCodes - Codes of the command line in this server's folder.
 */
export function createSharedCodes(
  folderCodes: SignInCodes,
  codeStore: SharedCodeStore,
  clock: () => number,
): SignInCodes {
  return {
    issue: (grant) => issueShared(codeStore, grant, clock()),
    async consume(code) {
      const grantFromFolder = await folderCodes.consume(code);
      if (grantFromFolder !== 'unknown') return grantFromFolder;
      const storedCode = await codeStore.take(hashToken(code));
      if (storedCode === undefined || storedCode === 'used') return storedCode ?? 'unknown';
      if (storedCode.expires <= clock()) return 'old';
      return parseAs(GrantJson, storedCode.granted) ?? 'unknown';
    },
  };
}
