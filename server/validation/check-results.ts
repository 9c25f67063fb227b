/** Results of custom checks for a batch of records. */
import { createHash } from 'node:crypto';
import { pickExpressions, ruleOfCheck, type CheckOutcome, type CheckFinding } from '../../core/app/checks.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { CheckBatch, CheckVerdict, BatchResults } from '../store/check-store.ts';
import type { StoredCheckRow } from '../workspace/checks.ts';
import type { CheckRunner } from './check-runner.ts';

/** Expressions that depend on the time of day have another result tomorrow. */
const asksTheDay = /\b(?:now|today|timeOfDay)\s*\(/;

/** Returns a value that changes when the records must be checked again. */
export function computeFingerprint(check: StoredCheckRow, today: string): string {
  const { type, applies = '', holds: condition, points = '', category, severity } = check;
  const day = asksTheDay.test(`${applies} ${condition} ${points}`) ? today : '';
  const fingerprintParts = [check.id, type, applies, condition, points, category, severity, day];
  return createHash('sha256').update(JSON.stringify(fingerprintParts)).digest('hex').slice(0, 16);
}

/**
 * Returns the results for the records of a batch and the checks to give up. `batchChecks` are the batch's
 * checks; undefined for a deleted one.
 */
export async function verdictsOf(
  runner: CheckRunner,
  { checks, records }: CheckBatch,
  batchChecks: readonly (StoredCheckRow | undefined)[],
): Promise<{ readonly verdicts: BatchResults; readonly haltedIds: ReadonlySet<string> }> {
  // An inactive check is not evaluated: it applies to no record.
  const activeIndexes = checks.flatMap(({ halted: isHalted, retired: isRetired }, index) =>
    isHalted || isRetired || !batchChecks[index] ? [] : [index],
  );
  const questions = activeIndexes.flatMap((index) => batchChecks[index] ?? []);
  const hasWork = questions.length > 0 && records.length > 0;
  const texts = records.map(({ text }) => text);
  const checkRun = hasWork ? await runner.judge(questions.map(pickExpressions), texts) : undefined;
  const verdicts = records.map((record, row) =>
    checks.map((check, index): CheckVerdict => {
      const definition = batchChecks[index];
      if (check.retired || !definition || record.type !== check.type) return { is: 'none' };
      const column = activeIndexes.indexOf(index);
      const checkOutcome = column === -1 ? undefined : checkRun?.answers[row]?.[column];
      return checkOutcome ? verdictOf(definition, checkOutcome) : { is: 'skipped' };
    }),
  );
  const haltedIds = new Set(
    [...(checkRun?.haltedChecks ?? [])].flatMap((column) => questions[column]?.id ?? []),
  );
  return { verdicts, haltedIds };
}

/** Returns the findings of checks in texts of one type, text by text. */
export async function findingsIn(
  runner: CheckRunner,
  checks: readonly StoredCheckRow[],
  type: ResourceType,
  texts: readonly string[],
): Promise<readonly (readonly CheckFinding[])[]> {
  const typeChecks = checks.filter((check) => check.type === type);
  if (typeChecks.length === 0 || texts.length === 0) return texts.map(() => []);
  const { answers: outcomes } = await runner.judge(typeChecks.map(pickExpressions), texts);
  return texts.map((_, row) =>
    typeChecks.flatMap((check, column) => {
      const checkOutcome = outcomes[row]?.[column];
      const checkResult = checkOutcome && verdictOf(check, checkOutcome);
      return checkResult?.is === 'broken'
        ? checkResult.issues.map((issue) => ({ ...issue, text: check.title }))
        : [];
    }),
  );
}

function verdictOf({ id, severity, category }: StoredCheckRow, checkOutcome: CheckOutcome): CheckVerdict {
  if (checkOutcome.is !== 'broken') return { is: checkOutcome.is };
  const rule = ruleOfCheck(id);
  return {
    is: 'broken',
    issues: checkOutcome.pointers.map((pointer) => ({ rule, severity, category, pointer })),
  };
}
