import { markOf, type Held, type Ledger, type VersionKey } from './ledger.ts';

/** Moments of the ledger's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Why what a store holds is no committed prefix of the ledger's writes that ends within a span; undefined where it is.
 * Writes behind `later` came after the store was put back: they may be there or not.
 */
export function prefixFault(
  ledger: Ledger,
  held: readonly Held[],
  { from, to }: Span,
  later: number,
): string | undefined {
  const found = new Map<VersionKey, string>(held.map(({ key, text }) => [key, text]));
  let [firstMissing, lastThere] = [Infinity, 0];
  for (const [key, text] of ledger.acknowledged) {
    const { sent, answered } = ledger.times.get(key) ?? { sent: 0, answered: 0 };
    if (sent > later) continue;
    const there = found.get(key) === text;
    if (there && sent > to) return `${key} was sent after the backup, and is there`;
    if (!there && answered < from) return `${key} was acknowledged before the backup, and is not there`;
    if (there) lastThere = Math.max(lastThere, sent);
    else firstMissing = Math.min(firstMissing, answered);
  }
  // One that was answered before another was sent was committed before it.
  if (firstMissing < lastThere) return 'A write is there whose predecessor is not';
  const refused = held.find(({ text }) => ledger.refused.has(markOf(text)));
  return refused && `${refused.key} was refused, and is there`;
}
