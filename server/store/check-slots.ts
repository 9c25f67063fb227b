/**
 * The slots of checks, and what verdicts come to by slot; pure, for every engine. A check that is switched off is asked on,
 * applies to nothing, and so takes along what it found.
 */
import { ruleOfCheck } from '../../core/app/checks.ts';
import { isProfileSlot } from '../../core/app/profiles.ts';
import { isProfileRule } from '../../core/fhir/profiles/demands.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import {
  mostSlots,
  type CheckVerdict,
  type KeptCheck,
  type SliceCheck,
  type SlotCount,
} from './check-store.ts';

/** The stamp of a check that is switched off. */
export const retired = '';

export interface Slot extends KeptCheck {
  readonly slot: number;
}

/** Slots that begin anew, and further ones, which make the checks that are asked those of the list. */
export interface SlotChanges {
  readonly anew: readonly Slot[];
  readonly added: readonly Slot[];
}

export function slotChanges(before: readonly Slot[], checks: readonly KeptCheck[]): SlotChanges {
  const wanted = new Map(checks.map((check) => [check.id, check]));
  const anew = before.flatMap(({ slot, id, type, stamp }) => {
    const next = wanted.get(id) ?? { id, type, stamp: retired };
    return next.stamp === stamp ? [] : { ...next, slot };
  });
  const known = new Set(before.map(({ id }) => id));
  const taken = new Set(before.map(({ slot }) => slot));
  const free = Array.from({ length: mostSlots }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  const fresh = checks.filter(({ id }) => !known.has(id));
  const added = free.flatMap((slot, at) => {
    const next = fresh[at];
    return next ? { ...next, slot } : [];
  });
  return { anew, added };
}

/** What a slice's checks came to for one record; bits are by slot. */
export interface RecordVerdict {
  readonly asked: number;
  readonly applied: number;
  readonly skipped: number;
  readonly found: readonly IssueRow[];
  /** Whether an issue of the record is one that `found` takes the place of. */
  readonly theirs: (issue: IssueRow) => boolean;
}

export function verdictOn(
  checks: readonly SliceCheck[],
  of: readonly CheckVerdict[],
  type: ResourceType,
): RecordVerdict {
  const bits = { asked: 0, applied: 0, skipped: 0 };
  for (const [at, { slot }] of checks.entries()) {
    const is = of[at]?.is ?? 'none';
    bits.asked |= 1 << slot;
    if (is === 'holds' || is === 'broken') bits.applied |= 1 << slot;
    if (is === 'skipped' || isOpen(of[at])) bits.skipped |= 1 << slot;
  }
  // What could not be asked is not known to be mended.
  const known = checks.filter((_, at) => of[at]?.is !== 'skipped');
  return {
    ...bits,
    found: of.flatMap((one) => (one.is === 'broken' ? one.issues : [])),
    theirs: ({ rule }) => known.some((one) => isRuleOf(one, rule, type)),
  };
}

function isOpen(verdict: CheckVerdict | undefined): boolean {
  return (verdict?.is === 'holds' || verdict?.is === 'broken') && verdict.open === true;
}

/** Whether a slot's findings in a record of a type stand under a rule: profiles have one for each of their demands. */
function isRuleOf({ id, type: own }: KeptCheck, rule: string, type: ResourceType): boolean {
  return isProfileSlot(id) ? own === type && isProfileRule(rule) : rule === ruleOfCheck(id);
}

/** By slot, from rows `[applied, skipped, records]` that say how many records have these bits. */
export function slotCounts(rows: readonly (readonly unknown[])[]): readonly SlotCount[] {
  const numbers = rows.map((row) => row.map(Number));
  const count = (bits: 0 | 1, slot: number) =>
    numbers.reduce((sum, row) => sum + (((row[bits] ?? 0) >> slot) & 1) * (row[2] ?? 0), 0);
  return Array.from({ length: mostSlots }, (_, slot) => ({
    applied: count(0, slot),
    skipped: count(1, slot),
  }));
}
