import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backupKinds, type BackupKind } from '../../core/app/backups.ts';
import { kept, toRemove } from './thinning.ts';

const hour = 3600 * 1000;
const day = 24 * hour;
const now = new Date(2026, 10, 21, 12).getTime();
const dayOf = (time: number) => new Date(time).toDateString();

interface One {
  readonly time: number;
  readonly kind: BackupKind;
}

/** Backups of the last weeks, the newest first by their writing, whatever a clock that went ahead and back said. */
const some = fc.uniqueArray(
  fc.record<One>({
    time: fc.integer({ min: now - 20 * day, max: now + 5 * day }),
    kind: fc.constantFrom(...backupKinds),
  }),
  { selector: ({ time }) => time, maxLength: 80 },
);

function staying(backups: readonly One[]): readonly One[] {
  const gone = new Set(toRemove(backups, now));
  return backups.filter((one) => !gone.has(one));
}

const timed = (backups: readonly One[]) => backups.filter(({ kind }) => kind === 'timed');
const replaced = (backups: readonly One[]) => backups.filter(({ kind }) => kind === 'replaced');
const others = (backups: readonly One[]) =>
  backups.filter(({ kind }) => kind !== 'timed' && kind !== 'replaced');

describe('item 13: what is kept', () => {
  test('of timed ones ten at most: the newest three of today, the newest of each other day', () => {
    fc.assert(
      fc.property(some, (backups) => {
        const rest = timed(staying(backups));
        expect(rest.length).toBeLessThanOrEqual(kept.timed);
        const today = (list: readonly One[]) => list.filter(({ time }) => dayOf(time) === dayOf(now));
        expect(today(rest)).toEqual(today(timed(backups)).slice(0, kept.today));
        for (const one of rest.filter(({ time }) => dayOf(time) !== dayOf(now))) {
          const thatDay = timed(backups).filter(({ time }) => dayOf(time) === dayOf(one.time));
          expect(thatDay[0]).toBe(one);
        }
      }),
    );
  });

  test('nothing older stays where something newer of its kind went, but for its own day', () => {
    fc.assert(
      fc.property(some, (backups) => {
        const days = new Set(timed(backups).map(({ time }) => dayOf(time)));
        const keptDays = new Set(timed(staying(backups)).map(({ time }) => dayOf(time)));
        if (timed(staying(backups)).length < kept.timed) expect(keptDays).toEqual(days);
        expect(others(staying(backups))).toEqual(others(backups).slice(0, kept.others));
        expect(replaced(staying(backups))).toEqual(replaced(backups).slice(0, kept.replaced));
      }),
    );
  });

  test('row 35: keeps the newest by its writing, whatever the clock says', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: now - 30 * day, max: now + 30 * day }), (backups, clock) => {
        expect(toRemove(backups, clock)).not.toContain(backups[0]);
      }),
    );
  });

  test('thinning again removes nothing more', () => {
    fc.assert(
      fc.property(some, (backups) => {
        expect(toRemove(staying(backups), now)).toEqual([]);
      }),
    );
  });

  test('a reset in the morning is not pushed out by the backups of the day', () => {
    const reset: One = { time: now - 4 * hour, kind: 'reset' };
    const clock = Array.from({ length: 16 }, (_, turn): One => ({
      time: now - turn * 900_000,
      kind: 'timed',
    }));
    expect(staying([reset, ...clock])).toEqual([reset, ...clock.slice(0, 3)]);
  });
});
