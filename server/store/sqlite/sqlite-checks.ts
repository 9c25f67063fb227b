/**
 * Which records a steward's own checks were asked of, and what they came to. Each check has a slot, with the version up to
 * which it has come: checks that have come as far are asked together. Invariant: verdict, findings and progress of a slice
 * are one transaction.
 */
import type { StoreState } from './asking.ts';
import { retired, slotChanges, verdictOn } from '../check-slots.ts';
import type { CheckStatements } from './check-statements.ts';
import { isSound } from '../checksum.ts';
import type { CheckRecord, CheckSlice, CheckStore, CheckVerdict, SliceCheck } from '../check-store.ts';

/** Versions of a slice, and characters of its texts, at most. */
const most = { versions: 200, characters: 1_000_000 };

export function sqliteChecks(on: StoreState): CheckStore {
  return {
    async settle(checks) {
      const { slots, setSlot, addSlot } = on.parts.checks;
      const { anew, added } = slotChanges(slots.all(), checks);
      if (anew.length === 0 && added.length === 0) return;
      await on.parts.writes.add(() => {
        for (const { slot, type, stamp } of anew) setSlot.run(type, stamp, slot);
        for (const { slot, id, type, stamp } of added) addSlot.run(slot, id, type, stamp);
      });
    },

    async renew() {
      const { begin } = on.parts.checks;
      await on.parts.writes.add(() => void begin.run());
    },

    next: async () => nextSlice(on.parts.checks),

    async write(slice, verdicts, halted, day) {
      const { checks, writes, rowsChanged } = on.parts;
      const changed = await writes.add(() => {
        const now = new Map(checks.slots.all().map((row) => [row.slot, row]));
        const stays = ({ slot, stamp }: SliceCheck) =>
          now.get(slot)?.stamp === stamp && now.get(slot)?.done === Number(slice.from);
        if (!slice.checks.every(stays)) return false;
        let any = false;
        for (const [at, one] of slice.records.entries()) {
          if (checks.current.get(one.record) !== one.version) continue;
          if (writeVerdicts(checks, one, { slice, of: verdicts[at] ?? [], day })) any = true;
        }
        const end = checks.newest.get() ?? 0;
        for (const { slot, id, stamp } of slice.checks) {
          if (stamp === retired && Number(slice.until) >= end) checks.dropSlot.run(slot);
          else checks.advance.run(Number(slice.until), Number(halted.has(id)), slot);
        }
        return any;
      });
      if (changed) rowsChanged(true);
    },

    async progress() {
      const { slots, newest } = on.parts.checks;
      const total = newest.get() ?? 0;
      const counts = await on.questions.ask('checkCounts', null);
      return slots
        .all()
        .filter(({ stamp }) => stamp !== retired)
        .map(({ slot, id, done, halted }) => ({
          ...{ id, done: Math.min(done, total), total, halted: halted !== 0 },
          ...(counts[slot] ?? { applied: 0, skipped: 0 }),
        }));
    },

    flaggedBy: (folder) => on.questions.ask('flaggedBy', folder),

    async skipped(id, limit) {
      const { slots, skippedBy } = on.parts.checks;
      const row = slots.all().find((one) => one.id === id);
      return row ? skippedBy.all(1 << row.slot, limit) : [];
    },

    async sample(type, after, limit) {
      return on.parts.checks.sample[type]
        .all(after, limit)
        .map(([id, body, sum]) => ({ id, text: isSound(body, sum) ? body.toString() : undefined }));
    },
  };
}

/** What the checks that are furthest behind are asked of next. */
function nextSlice({ slots, newest, window, texts }: CheckStatements): CheckSlice | undefined {
  const rows = slots.all();
  const low = Math.min(...rows.map(({ done }) => done));
  const end = newest.get() ?? 0;
  const group = rows.filter(({ done }) => done === low);
  if (group.length === 0 || (low >= end && group.every(({ stamp }) => stamp !== retired))) return undefined;
  const others = rows.filter(({ done }) => done > low).map(({ done }) => done);
  // Where the last version was erased, a slot may have come further than there is any.
  const until = Math.max(low, Math.min(end, window.get(low, most.versions) ?? end, ...others));
  const from = String(low);
  const checks = group.map(({ slot, id, type, stamp, halted }): SliceCheck => ({
    ...{ slot, id, type, stamp },
    ...{ retired: stamp === retired, halted: halted !== 0 },
  }));
  const records: CheckRecord[] = [];
  let characters = 0;
  for (const [version, record, type, body, sum] of texts.iterate(low, until)) {
    const text = isSound(body, sum) ? body.toString() : undefined;
    records.push({ record, version, type, text });
    characters += text?.length ?? 0;
    if (characters > most.characters) return { checks, from, until: String(version), records };
  }
  return { checks, from, until: String(until), records };
}

interface Written {
  readonly slice: CheckSlice;
  readonly of: readonly CheckVerdict[];
  readonly day: number;
}

/** Writes the verdicts on one record; answers whether its issues changed. */
function writeVerdicts(
  on: CheckStatements,
  { record, type }: CheckRecord,
  { slice, of, day }: Written,
): boolean {
  const { asked, found, theirs, ...bits } = verdictOn(slice.checks, of, type);
  const [applied = 0, skipped = 0] = on.result.get(record) ?? [];
  const next = [(applied & ~asked) | bits.applied, (skipped & ~asked) | bits.skipped] as const;
  if (next[0] !== applied || next[1] !== skipped) {
    if (next[0] === 0 && next[1] === 0) on.dropResult.run(record);
    else on.setResult.run(record, ...next);
  }
  return on.writeFound({ record, found, theirs, day });
}
