/** Sign-ins that were begun and are not ended: kept in memory, or by a store for all its servers. */
import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import { hashToken } from '../access/secret.ts';

/** Milliseconds in which a sign-in has to be finished. */
export const signInTime = 10 * 60_000;

/** What ends a sign-in. */
const UnderWay = v.object({ state: v.string(), nonce: v.string(), verifier: v.string(), begun: v.number() });
export type UnderWay = Shape<typeof UnderWay>;

/** By the SHA-256 of the browser's secret. */
export interface SignInsUnderWay {
  /** Keeps one that was begun from a network. */
  add(key: string, one: UnderWay, network: string): Promise<void>;
  /** This once. */
  take(key: string): Promise<UnderWay | undefined>;
}

/** Where servers keep theirs together (server/store/shared-rows.ts). */
interface KeptSignIns {
  add(
    one: { readonly key: string; readonly body: string; readonly begun: number; readonly network: string },
    kept: { readonly most: number; readonly after: number },
  ): Promise<void>;
  take(key: string): Promise<string | undefined>;
}

/** Sign-ins under way; strangers may begin some. Of so many, the network that began most loses its oldest. */
const mostUnderWay = 4000;

interface HeldSignIn {
  readonly one: UnderWay;
  readonly network: string;
}

export function ownSignIns(most = mostUnderWay): SignInsUnderWay {
  /** Oldest first. */
  const held = new Map<string, HeldSignIn>();

  function forgetOld(now: number): void {
    for (const [key, { one }] of held) {
      if (one.begun + signInTime > now) return;
      held.delete(key);
    }
  }

  function makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { network } of held.values()) counts.set(network, (counts.get(network) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    for (const [key, { network }] of held) {
      if (counts.get(network) !== largest) continue;
      held.delete(key);
      return;
    }
  }

  return {
    add(key, one, network) {
      forgetOld(one.begun);
      if (held.size >= most) makeRoom();
      held.set(key, { one, network });
      return Promise.resolve();
    },
    take(key) {
      const found = held.get(key);
      held.delete(key);
      return Promise.resolve(found?.one);
    },
  };
}

/** A sign-in that one server began is ended by any. */
export function sharedSignIns(kept: KeptSignIns): SignInsUnderWay {
  return {
    add: (key, one, network) =>
      kept.add(
        { key, body: JSON.stringify(one), begun: one.begun, network: hashToken(network) },
        { most: mostUnderWay, after: one.begun - signInTime },
      ),
    async take(key) {
      const body = await kept.take(key);
      return body === undefined ? undefined : parseAs(UnderWay, body);
    },
  };
}
