/**
 * Progress rows of checks, and their results by row. Pure, for every engine. A disabled check still runs,
 * applies to no record and thereby removes its findings.
 */
import { ruleOfCheck } from '../../core/app/checks.ts';
import { isProfileSlot } from '../../core/app/profiles.ts';
import { isProfileRule } from '../../core/fhir/profiles/profile-rules.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import {
  maxCheckRows,
  type CheckResult,
  type StoredCheck,
  type BatchCheck,
  type SlotCount,
} from './check-store.ts';

/** Fingerprint of a disabled check. */
export const disabledFingerprint = '';

export interface CheckProgressRow extends StoredCheck {
  readonly slot: number;
}

/** Progress rows that restart, and new rows, so that the running checks match the list. */
export interface SlotChanges {
  readonly changedRows: readonly CheckProgressRow[];
  readonly newRows: readonly CheckProgressRow[];
}

export function compareProgress(
  before: readonly CheckProgressRow[],
  checks: readonly StoredCheck[],
): SlotChanges {
  const requestedById = new Map(checks.map((check) => [check.id, check]));
  const changedRows = before.flatMap(({ slot, id, type, stamp }) => {
    const nextCheck = requestedById.get(id) ?? { id, type, stamp: disabledFingerprint };
    return nextCheck.stamp === stamp ? [] : { ...nextCheck, slot };
  });
  const knownIds = new Set(before.map(({ id }) => id));
  const usedSlots = new Set(before.map(({ slot }) => slot));
  const freeSlots = Array.from({ length: maxCheckRows }, (_, slot) => slot).filter(
    (slot) => !usedSlots.has(slot),
  );
  const newChecks = checks.filter(({ id }) => !knownIds.has(id));
  const newRows = freeSlots.flatMap((slot, index) => {
    const nextCheck = newChecks[index];
    return nextCheck ? { ...nextCheck, slot } : [];
  });
  return { changedRows, newRows };
}

/** Result of a batch's checks for one record. Bits are numbered by row. */
export interface RecordVerdict {
  readonly evaluatedMask: number;
  readonly applied: number;
  readonly skippedMask: number;
  readonly findings: readonly IssueRow[];
  /** Returns true if `found` replaces this issue of the record. */
  readonly theirs: (issue: IssueRow) => boolean;
}

export function verdictOn(
  checks: readonly BatchCheck[],
  verdicts: readonly CheckResult[],
  type: ResourceType,
): RecordVerdict {
  const bits = { evaluatedMask: 0, applied: 0, skippedMask: 0 };
  for (const [index, { slot }] of checks.entries()) {
    const status = verdicts[index]?.is ?? 'none';
    bits.evaluatedMask |= 1 << slot;
    if (status === 'holds' || status === 'broken') bits.applied |= 1 << slot;
    if (status === 'skipped' || isOpen(verdicts[index])) bits.skippedMask |= 1 << slot;
  }
  // A check that could not run has resolved no findings.
  const evaluatedChecks = checks.filter((_, index) => verdicts[index]?.is !== 'skipped');
  return {
    ...bits,
    findings: verdicts.flatMap((verdict) => (verdict.is === 'broken' ? verdict.issues : [])),
    theirs: ({ rule }) => evaluatedChecks.some((check) => isRuleOf(check, rule, type)),
  };
}

function isOpen(verdict: CheckResult | undefined): boolean {
  return (verdict?.is === 'holds' || verdict?.is === 'broken') && verdict.open === true;
}

/**
 * Returns true if a rule belongs to a check, for records of a type. A profile check has one rule for each
 * profile rule.
 */
function isRuleOf({ id, type: checkType }: StoredCheck, rule: string, type: ResourceType): boolean {
  return isProfileSlot(id) ? checkType === type && isProfileRule(rule) : rule === ruleOfCheck(id);
}

/** Counts records by row, from `[applied, skipped, records]` with bits by row. */
export function slotCounts(rows: readonly (readonly unknown[])[]): readonly SlotCount[] {
  const numbers = rows.map((row) => row.map(Number));
  const count = (bits: 0 | 1, slot: number) =>
    numbers.reduce((sum, row) => sum + (((row[bits] ?? 0) >> slot) & 1) * (row[2] ?? 0), 0);
  return Array.from({ length: maxCheckRows }, (_, slot) => ({
    applied: count(0, slot),
    skipped: count(1, slot),
  }));
}
