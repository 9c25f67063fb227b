/** Tries a check before it is switched on: on records that are spread over all, or on one text. */
import { triedRecords, type Asked, type CheckQuestion, type TrialResult } from '../../core/app/checks.ts';
import type { CheckStore } from '../store/check-store.ts';
import type { CheckRunner } from './check-runner.ts';

export interface TrialParts {
  readonly store: Pick<CheckStore, 'sample'>;
  readonly runner: CheckRunner;
  readonly question: CheckQuestion;
  /** The one text that it is tried on; many records where absent. */
  readonly text: string | undefined;
}

/** Records that are asked at once. */
const atOnce = 200;

/** Records that the result names, of those that it does not hold for and of those for which it could not be asked. */
const mostNamed = 10;

type Named = { -readonly [Name in keyof TrialResult['broken'][number]]: TrialResult['broken'][number][Name] };

type Counted = { -readonly [Name in keyof TrialResult]: TrialResult[Name] extends number ? number : Named[] };

export async function trialOf({ store, runner, question, text }: TrialParts): Promise<TrialResult> {
  const result: Counted = { records: 0, applied: 0, violated: 0, skipped: 0, broken: [], unasked: [] };
  let after = '';
  for (let more = true; more && result.records < triedRecords;) {
    const records =
      text === undefined ? await store.sample(question.type, after, atOnce) : [{ id: '', text }];
    const { answers, halted } = await runner.judge(
      [question],
      records.map((record) => record.text),
    );
    for (const [at, { id }] of records.entries()) note(result, id, answers[at]?.[0]);
    result.records += records.length;
    after = records.at(-1)?.id ?? '';
    more = text === undefined && records.length === atOnce && halted.size === 0;
  }
  return result;
}

function note(result: Counted, id: string, answer: Asked | undefined): void {
  if (!answer || answer.is === 'none') return;
  if (answer.is === 'skipped') {
    result.skipped += 1;
    if (result.unasked.length < mostNamed) result.unasked.push({ id, why: answer.why });
    return;
  }
  result.applied += 1;
  if (answer.is !== 'broken') return;
  result.violated += 1;
  if (result.broken.length < mostNamed) result.broken.push({ id, pointers: [...answer.pointers] });
}
