import { readMark, type StoredVersion, type Ledger, type VersionKey } from './ledger.ts';

/** Two instants of the ledger's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns why the versions of a store are not a committed prefix of the ledger's writes that ends within a
 * span, or undefined if they are. Writes after `later` came after the restore and may be stored or not.
 */
export function findPrefixProblem(
  ledger: Ledger,
  versions: readonly StoredVersion[],
  { from, to }: Span,
  restoreTime: number,
): string | undefined {
  const storedTexts = new Map<VersionKey, string>(versions.map(({ key, text }) => [key, text]));
  let [firstMissing, lastSendTime] = [Infinity, 0];
  for (const [key, text] of ledger.acknowledged) {
    const { sendTime, answerTime } = ledger.times.get(key) ?? { sendTime: 0, answerTime: 0 };
    if (sendTime > restoreTime) continue;
    const isStored = storedTexts.get(key) === text;
    if (isStored && sendTime > to) return `${key} was sent after the backup, and is there`;
    if (!isStored && answerTime < from) return `${key} was acknowledged before the backup, and is not there`;
    if (isStored) lastSendTime = Math.max(lastSendTime, sendTime);
    else firstMissing = Math.min(firstMissing, answerTime);
  }
  // A write that was answered before another was sent was committed before it.
  if (firstMissing < lastSendTime) return 'A write is there whose predecessor is not';
  const refusedVersion = versions.find(({ text }) => ledger.refusedMarks.has(readMark(text)));
  return refusedVersion && `${refusedVersion.key} was refused, and is there`;
}
