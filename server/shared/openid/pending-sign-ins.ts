/** Pending sign-ins, in memory or in the store of several servers. */
import * as v from 'valibot';
import { parseAs, type Shape } from '../../../core/json/shape.ts';
import { hashToken } from '../../access/secret.ts';

/** Milliseconds until a pending sign-in expires. */
export const signInTimeoutMs = 10 * 60_000;

/** Values that complete a sign-in. */
const PendingSignInSchema = v.object({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  begun: v.number(),
});
export type PendingSignIn = Shape<typeof PendingSignInSchema>;

/** Pending sign-ins by the SHA-256 of the browser's secret. */
export interface PendingSignIns {
  add(key: string, signIn: PendingSignIn, network: string): Promise<void>;
  /** Removes and returns a sign-in. */
  take(key: string): Promise<PendingSignIn | undefined>;
}

/** Shared store of pending sign-ins (server/shared/shared-rows.ts). */
interface SharedSignInStore {
  add(
    row: {
      readonly key: string;
      readonly body: string;
      readonly startedAtMs: number;
      readonly network: string;
    },
    limits: { readonly maxCount: number; readonly expiredBefore: number },
  ): Promise<void>;
  take(key: string): Promise<string | undefined>;
}

/**
 * Limit of pending sign-ins, which need no credentials. Beyond it, the network with the most sign-ins loses
 * its oldest.
 */
const maxPending = 4000;

interface CachedSignIn {
  readonly signIn: PendingSignIn;
  readonly network: string;
}

export function createLocalSignIns(max = maxPending): PendingSignIns {
  /** Sign-ins by key, oldest first. */
  const signIns = new Map<string, CachedSignIn>();

  function removeExpired(now: number): void {
    for (const [key, { signIn }] of signIns) {
      if (signIn.begun + signInTimeoutMs > now) return;
      signIns.delete(key);
    }
  }

  function evictOne(): void {
    const counts = new Map<string, number>();
    for (const { network } of signIns.values()) counts.set(network, (counts.get(network) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    for (const [key, { network }] of signIns) {
      if (counts.get(network) !== largest) continue;
      signIns.delete(key);
      return;
    }
  }

  return {
    add(key, signIn, network) {
      removeExpired(signIn.begun);
      if (signIns.size >= max) evictOne();
      signIns.set(key, { signIn: signIn, network });
      return Promise.resolve();
    },
    take(key) {
      const cachedSignIn = signIns.get(key);
      signIns.delete(key);
      return Promise.resolve(cachedSignIn?.signIn);
    },
  };
}

/** Creates shared sign-ins: any server can complete a sign-in that another server started. */
export function createSharedSignIns(store: SharedSignInStore): PendingSignIns {
  return {
    add: (key, signIn, network) =>
      store.add(
        { key, body: JSON.stringify(signIn), startedAtMs: signIn.begun, network: hashToken(network) },
        { maxCount: maxPending, expiredBefore: signIn.begun - signInTimeoutMs },
      ),
    async take(key) {
      const body = await store.take(key);
      return body === undefined ? undefined : parseAs(PendingSignInSchema, body);
    },
  };
}
