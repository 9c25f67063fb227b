/**
 * Stores the progress and the results of custom checks. Each check has a slot with the version up to which it has run.
 * Checks with equal progress run together. Invariant: verdicts, findings and progress of a batch share one transaction.
 */
import type { StoreState } from './reader-client.ts';
import { disabledFingerprint, compareProgress, verdictOn } from '../check-progress.ts';
import type { CheckStatements } from './check-statements.ts';
import { isIntact } from '../checksum.ts';
import type { CheckRecord, CheckBatch, CheckStore, CheckResult, BatchCheck } from '../check-store.ts';

/** Maximum number of versions and text characters of a batch. */
const maxBatch = { versions: 200, characters: 1_000_000 };

export function sqliteChecks(state: StoreState): CheckStore {
  return {
    async settle(checks) {
      const { slots, setSlot, addSlot } = state.parts.checks;
      const { changedRows: changedSlots, newRows: newSlots } = compareProgress(slots.all(), checks);
      if (changedSlots.length === 0 && newSlots.length === 0) return;
      await state.parts.writes.add(() => {
        for (const { slot, type, stamp } of changedSlots) setSlot.run(type, stamp, slot);
        for (const { slot, id, type, stamp } of newSlots) addSlot.run(slot, id, type, stamp);
      });
    },

    async renew() {
      const { begin } = state.parts.checks;
      await state.parts.writes.add(() => void begin.run());
    },

    next: async () => nextSlice(state.parts.checks),

    async write(batch, verdicts, abortedIds, day) {
      const { checks, writes, notifyRowsChanged } = state.parts;
      const hasChanged = await writes.add(() => {
        const now = new Map(checks.slots.all().map((row) => [row.slot, row]));
        const isCurrent = ({ slot, stamp }: BatchCheck) =>
          now.get(slot)?.stamp === stamp && now.get(slot)?.done === Number(batch.from);
        if (!batch.checks.every(isCurrent)) return false;
        let hasChanged = false;
        for (const [index, record] of batch.records.entries()) {
          if (checks.current.get(record.record) !== record.version) continue;
          if (writeVerdicts(checks, record, { batch, verdicts: verdicts[index] ?? [], day }))
            hasChanged = true;
        }
        const latestVersion = checks.newest.get() ?? 0;
        for (const { slot, id, stamp } of batch.checks) {
          if (stamp === disabledFingerprint && Number(batch.until) >= latestVersion)
            checks.dropSlot.run(slot);
          else checks.advance.run(Number(batch.until), Number(abortedIds.has(id)), slot);
        }
        return hasChanged;
      });
      if (hasChanged) notifyRowsChanged(true);
    },

    async progress() {
      const { slots, newest } = state.parts.checks;
      const total = newest.get() ?? 0;
      const counts = await state.readerClient.query('checkCounts', null);
      return slots
        .all()
        .filter(({ stamp }) => stamp !== disabledFingerprint)
        .map(({ slot, id, done, halted: haltedFlag }) => ({
          id,
          done: Math.min(done, total),
          total,
          halted: haltedFlag !== 0,
          ...(counts[slot] ?? { applied: 0, skipped: 0 }),
        }));
    },

    countFlagged: (folder) => state.readerClient.query('flaggedBy', folder),

    async listSkipped(id, limit) {
      const { slots, listSkippedBy } = state.parts.checks;
      const row = slots.all().find((slotRow) => slotRow.id === id);
      return row ? listSkippedBy.all(1 << row.slot, limit) : [];
    },

    async sample(type, after, limit) {
      return state.parts.checks.sample[type]
        .all(after, limit)
        .map(([id, body, sum]) => ({ id, text: isIntact(body, sum) ? body.toString() : undefined }));
    },
  };
}

/** Returns the next batch of the checks with the least progress. */
function nextSlice({ slots, newest, window, texts }: CheckStatements): CheckBatch | undefined {
  const rows = slots.all();
  const low = Math.min(...rows.map(({ done }) => done));
  const end = newest.get() ?? 0;
  const group = rows.filter(({ done }) => done === low);
  if (group.length === 0 || (low >= end && group.every(({ stamp }) => stamp !== disabledFingerprint)))
    return undefined;
  const otherProgress = rows.filter(({ done }) => done > low).map(({ done }) => done);
  // If the latest version was erased, a slot may be ahead of all versions.
  const until = Math.max(low, Math.min(end, window.get(low, maxBatch.versions) ?? end, ...otherProgress));
  const from = String(low);
  const checks = group.map(({ slot, id, type, stamp, halted: haltedFlag }): BatchCheck => ({
    slot,
    id,
    type,
    stamp,
    isRetired: stamp === disabledFingerprint,
    isHalted: haltedFlag !== 0,
  }));
  const records: CheckRecord[] = [];
  let characters = 0;
  for (const [version, record, type, body, sum] of texts.iterate(low, until)) {
    const text = isIntact(body, sum) ? body.toString() : undefined;
    records.push({ record, version, type, text });
    characters += text?.length ?? 0;
    if (characters > maxBatch.characters) return { checks, from, until: String(version), records };
  }
  return { checks, from, until: String(until), records };
}

interface CheckWrite {
  readonly batch: CheckBatch;
  readonly verdicts: readonly CheckResult[];
  readonly day: number;
}

/** Writes the verdicts on one record. Returns true if its issues changed. */
function writeVerdicts(
  statements: CheckStatements,
  { record, type }: CheckRecord,
  { batch, verdicts, day }: CheckWrite,
): boolean {
  const {
    evaluatedMask: ranBits,
    findings: foundIssues,
    theirs,
    ...bits
  } = verdictOn(batch.checks, verdicts, type);
  const [appliedBits = 0, skippedBits = 0] = statements.result.get(record) ?? [];
  const next = [
    (appliedBits & ~ranBits) | bits.applied,
    (skippedBits & ~ranBits) | bits.skippedMask,
  ] as const;
  if (next[0] !== appliedBits || next[1] !== skippedBits) {
    if (next[0] === 0 && next[1] === 0) statements.dropResult.run(record);
    else statements.setResult.run(record, ...next);
  }
  return statements.writeFound({ record, foundIssues, theirs, day });
}
