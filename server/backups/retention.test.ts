import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backupKinds, type BackupKind } from '../../core/app/backups.ts';
import { retentionLimits, toRemove } from './retention.ts';

const hour = 3600 * 1000;
const day = 24 * hour;
const now = new Date(2026, 10, 21, 12).getTime();
const dayOf = (time: number) => new Date(time).toDateString();

interface TestBackup {
  readonly time: number;
  readonly kind: BackupKind;
}

/** Backups of the last weeks in the order of writing, newest first, with times of a clock that was also wrong. */
const arbitraryBackups = fc.uniqueArray(
  fc.record<TestBackup>({
    time: fc.integer({ min: now - 20 * day, max: now + 5 * day }),
    kind: fc.constantFrom(...backupKinds),
  }),
  { selector: ({ time }) => time, maxLength: 80, size: 'max' },
);

function listRetained(backups: readonly TestBackup[]): readonly TestBackup[] {
  const removedBackups = new Set(toRemove(backups, now));
  return backups.filter((backup) => !removedBackups.has(backup));
}

const filterTimed = (backups: readonly TestBackup[]) => backups.filter(({ kind }) => kind === 'timed');
const filterReplaced = (backups: readonly TestBackup[]) => backups.filter(({ kind }) => kind === 'replaced');
const filterOthers = (backups: readonly TestBackup[]) =>
  backups.filter(({ kind }) => kind !== 'timed' && kind !== 'replaced');

describe('retained backups', () => {
  test('keep ten timed ones: the latest three of today and the latest of each other day', () => {
    fc.assert(
      fc.property(arbitraryBackups, (backups) => {
        const retainedTimed = filterTimed(listRetained(backups));
        expect(retainedTimed.length).toBeLessThanOrEqual(retentionLimits.timed);
        const filterToday = (list: readonly TestBackup[]) =>
          list.filter(({ time }) => dayOf(time) === dayOf(now));
        expect(filterToday(retainedTimed)).toEqual(
          filterToday(filterTimed(backups)).slice(0, retentionLimits.today),
        );
        for (const backup of retainedTimed.filter(({ time }) => dayOf(time) !== dayOf(now))) {
          const thatDay = filterTimed(backups).filter(({ time }) => dayOf(time) === dayOf(backup.time));
          expect(thatDay[0]).toBe(backup);
        }
      }),
    );
  });

  test('include no older one in place of a newer one, except for its day', () => {
    fc.assert(
      fc.property(arbitraryBackups, (backups) => {
        const days = new Set(filterTimed(backups).map(({ time }) => dayOf(time)));
        const keptDays = new Set(filterTimed(listRetained(backups)).map(({ time }) => dayOf(time)));
        if (filterTimed(listRetained(backups)).length < retentionLimits.timed) expect(keptDays).toEqual(days);
        expect(filterOthers(listRetained(backups))).toEqual(
          filterOthers(backups).slice(0, retentionLimits.others),
        );
        expect(filterReplaced(listRetained(backups))).toEqual(
          filterReplaced(backups).slice(0, retentionLimits.replaced),
        );
      }),
    );
  });

  test('include the last written one for any clock', () => {
    fc.assert(
      fc.property(
        arbitraryBackups,
        fc.integer({ min: now - 30 * day, max: now + 30 * day }),
        (backups, clock) => {
          expect(toRemove(backups, clock)).not.toContain(backups[0]);
        },
      ),
    );
  });

  test('stay the same if retention is applied again', () => {
    fc.assert(
      fc.property(arbitraryBackups, (backups) => {
        expect(toRemove(listRetained(backups), now)).toEqual([]);
      }),
    );
  });

  test('include a reset of the morning despite later timed backups', () => {
    const reset: TestBackup = { time: now - 4 * hour, kind: 'reset' };
    const clock = Array.from({ length: 16 }, (_, turn): TestBackup => ({
      time: now - turn * 900_000,
      kind: 'timed',
    }));
    expect(listRetained([reset, ...clock])).toEqual([reset, ...clock.slice(0, 3)]);
  });
});
