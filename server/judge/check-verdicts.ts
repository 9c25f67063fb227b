/** What stewards' checks come to for a slice of the records. */
import { createHash } from 'node:crypto';
import { questionOf, ruleOfCheck, type Asked, type CheckFinding } from '../../core/app/checks.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { CheckSlice, CheckVerdict, SliceVerdicts } from '../store/check-store.ts';
import type { HeldCheck } from '../workspace/checks.ts';
import type { CheckRunner } from './check-runner.ts';

/** What asks for the time of day gives another answer tomorrow. */
const asksTheDay = /\b(?:now|today|timeOfDay)\s*\(/;

/** Changes whenever the records have to be asked anew. */
export function stampOf(check: HeldCheck, today: string): string {
  const { type, applies = '', holds, points = '', category, severity } = check;
  const day = asksTheDay.test(`${applies} ${holds} ${points}`) ? today : '';
  const said = [check.id, type, applies, holds, points, category, severity, day];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
}

/**
 * Verdicts on the records of a slice, and which checks are given up. `asked` are the slice's checks as they are written;
 * undefined for what is written no more.
 */
export async function verdictsOf(
  runner: CheckRunner,
  { checks, records }: CheckSlice,
  asked: readonly (HeldCheck | undefined)[],
): Promise<{ readonly verdicts: SliceVerdicts; readonly halted: ReadonlySet<string> }> {
  // Of a check that is switched off nothing is asked: it applies to nothing.
  const at = checks.flatMap(({ halted, retired }, index) =>
    halted || retired || !asked[index] ? [] : [index],
  );
  const questions = at.flatMap((index) => asked[index] ?? []);
  const some = questions.length > 0 && records.length > 0;
  const texts = records.map(({ text }) => text);
  const judged = some ? await runner.judge(questions.map(questionOf), texts) : undefined;
  const verdicts = records.map((record, row) =>
    checks.map((check, index): CheckVerdict => {
      const definition = asked[index];
      if (check.retired || !definition || record.type !== check.type) return { is: 'none' };
      const column = at.indexOf(index);
      const answer = column === -1 ? undefined : judged?.answers[row]?.[column];
      return answer ? verdictOf(definition, answer) : { is: 'skipped' };
    }),
  );
  const halted = new Set([...(judged?.halted ?? [])].flatMap((column) => questions[column]?.id ?? []));
  return { verdicts, halted };
}

/** What checks find in texts of records of a type, text by text. */
export async function findingsIn(
  runner: CheckRunner,
  checks: readonly HeldCheck[],
  type: ResourceType,
  texts: readonly string[],
): Promise<readonly (readonly CheckFinding[])[]> {
  const asked = checks.filter((check) => check.type === type);
  if (asked.length === 0 || texts.length === 0) return texts.map(() => []);
  const { answers } = await runner.judge(asked.map(questionOf), texts);
  return texts.map((_, row) =>
    asked.flatMap((check, column) => {
      const answer = answers[row]?.[column];
      const verdict = answer && verdictOf(check, answer);
      return verdict?.is === 'broken' ? verdict.issues.map((issue) => ({ ...issue, text: check.title })) : [];
    }),
  );
}

function verdictOf({ id, severity, category }: HeldCheck, answer: Asked): CheckVerdict {
  if (answer.is !== 'broken') return { is: answer.is };
  const rule = ruleOfCheck(id);
  return { is: 'broken', issues: answer.pointers.map((pointer) => ({ rule, severity, category, pointer })) };
}
