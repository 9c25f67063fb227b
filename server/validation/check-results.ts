/** Results of custom checks for a batch of records. */
import { createHash } from 'node:crypto';
import { pickExpressions, ruleOfCheck, type CheckOutcome, type CheckFinding } from '../../core/app/checks.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { CheckBatch, CheckResult, BatchResults } from '../store/check-store.ts';
import type { StoredCheckRow } from '../workspace/checks.ts';
import type { CheckRunner } from './check-runner.ts';

/** Matches expressions that depend on the current date or time. Their results expire daily. */
const dateDependentPattern = /\b(?:now|today|timeOfDay)\s*\(/;

/** Returns the fingerprint of a check. If it changes, all records must be checked again. */
export function computeFingerprint(check: StoredCheckRow, today: string): string {
  const { type, applies = '', holds: condition, points = '', category, severity } = check;
  const day = dateDependentPattern.test(`${applies} ${condition} ${points}`) ? today : '';
  const fingerprintParts = [check.id, type, applies, condition, points, category, severity, day];
  return createHash('sha256').update(JSON.stringify(fingerprintParts)).digest('hex').slice(0, 16);
}

/**
 * Runs the checks of a batch on its records.
 *
 * @param definitions - Stored definition of each check in `checks`. Undefined if the check was deleted.
 * @returns Results by record and check, and the IDs of the checks to halt.
 */
export async function runChecks(
  runner: CheckRunner,
  { checks, records }: CheckBatch,
  definitions: readonly (StoredCheckRow | undefined)[],
): Promise<{ readonly results: BatchResults; readonly haltedIds: ReadonlySet<string> }> {
  // Halted, retired and deleted checks are not run.
  const activeIndexes = checks.flatMap(({ isHalted, isRetired }, index) =>
    isHalted || isRetired || !definitions[index] ? [] : [index],
  );
  const activeChecks = activeIndexes.flatMap((index) => definitions[index] ?? []);
  const hasWork = activeChecks.length > 0 && records.length > 0;
  const texts = records.map(({ text }) => text);
  const run = hasWork ? await runner.evaluate(activeChecks.map(pickExpressions), texts) : undefined;
  const results = records.map((record, recordIndex) =>
    checks.map((check, checkIndex): CheckResult => {
      const definition = definitions[checkIndex];
      if (check.isRetired || !definition || record.type !== check.type) return { is: 'none' };
      const activeIndex = activeIndexes.indexOf(checkIndex);
      const checkOutcome = activeIndex === -1 ? undefined : run?.outcomes[recordIndex]?.[activeIndex];
      return checkOutcome ? toCheckResult(definition, checkOutcome) : { is: 'skipped' };
    }),
  );
  const haltedIds = new Set(
    [...(run?.haltedChecks ?? [])].flatMap((activeIndex) => activeChecks[activeIndex]?.id ?? []),
  );
  return { results, haltedIds };
}

/** Runs the checks of one type on texts. Returns the findings of each text. */
export async function findCheckFindings(
  runner: CheckRunner,
  checks: readonly StoredCheckRow[],
  type: ResourceType,
  texts: readonly string[],
): Promise<readonly (readonly CheckFinding[])[]> {
  const typeChecks = checks.filter((check) => check.type === type);
  if (typeChecks.length === 0 || texts.length === 0) return texts.map(() => []);
  const { outcomes } = await runner.evaluate(typeChecks.map(pickExpressions), texts);
  return texts.map((_, textIndex) =>
    typeChecks.flatMap((check, checkIndex) => {
      const checkOutcome = outcomes[textIndex]?.[checkIndex];
      const result = checkOutcome && toCheckResult(check, checkOutcome);
      return result?.is === 'broken' ? result.issues.map((issue) => ({ ...issue, text: check.title })) : [];
    }),
  );
}

function toCheckResult({ id, severity, category }: StoredCheckRow, checkOutcome: CheckOutcome): CheckResult {
  if (checkOutcome.is !== 'broken') return { is: checkOutcome.is };
  const rule = ruleOfCheck(id);
  return {
    is: 'broken',
    issues: checkOutcome.pointers.map((pointer) => ({ rule, severity, category, pointer })),
  };
}
