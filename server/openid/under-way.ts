/** Sign-ins that were begun and are not ended: kept in memory, or by a store for all its servers. */
import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';

/** What ends a sign-in. */
const UnderWay = v.object({ state: v.string(), nonce: v.string(), verifier: v.string(), begun: v.number() });
export type UnderWay = Shape<typeof UnderWay>;

/** By the SHA-256 of the browser's secret. */
export interface SignInsUnderWay {
  add(key: string, one: UnderWay): Promise<void>;
  /** This once. */
  take(key: string): Promise<UnderWay | undefined>;
}

/** Where servers keep theirs together (server/store/shared-rows.ts). */
interface KeptSignIns {
  add(key: string, body: string, begun: number, most: number): Promise<void>;
  take(key: string): Promise<string | undefined>;
}

/** Sign-ins under way; strangers may begin some, and the oldest goes for the newest. */
const mostUnderWay = 1000;

export function ownSignIns(): SignInsUnderWay {
  /** Oldest first. */
  const held = new Map<string, UnderWay>();
  return {
    add(key, one) {
      for (const oldest of held.keys()) {
        if (held.size < mostUnderWay) break;
        held.delete(oldest);
      }
      held.set(key, one);
      return Promise.resolve();
    },
    take(key) {
      const one = held.get(key);
      held.delete(key);
      return Promise.resolve(one);
    },
  };
}

/** A sign-in that one server began is ended by any. */
export function sharedSignIns(kept: KeptSignIns): SignInsUnderWay {
  return {
    add: (key, one) => kept.add(key, JSON.stringify(one), one.begun, mostUnderWay),
    async take(key) {
      const body = await kept.take(key);
      return body === undefined ? undefined : parseAs(UnderWay, body);
    },
  };
}
