/** Tries a check before it is switched on: on records that are spread over all, or on one text. */
import {
  triedRecords,
  type CheckOutcome,
  type CheckExpressions,
  type TrialResult,
} from '../../core/app/checks.ts';
import type { CheckStore } from '../store/check-store.ts';
import type { CheckRunner } from './check-runner.ts';

export interface TrialParts {
  readonly store: Pick<CheckStore, 'sample'>;
  readonly runner: CheckRunner;
  readonly question: CheckExpressions;
  /** The only text of the trial; many records if absent. */
  readonly text: string | undefined;
}

/** Records per request. */
const batchSize = 200;

/** Maximum number of records that the result names as broken, and as skipped. */
const maxNamedRecords = 10;

type MutableNamedRecord = {
  -readonly [Name in keyof TrialResult['broken'][number]]: TrialResult['broken'][number][Name];
};

type MutableTrialResult = {
  -readonly [Name in keyof TrialResult]: TrialResult[Name] extends number ? number : MutableNamedRecord[];
};

export async function trialOf({ store, runner, question, text }: TrialParts): Promise<TrialResult> {
  const result: MutableTrialResult = {
    records: 0,
    applied: 0,
    violated: 0,
    skipped: 0,
    broken: [],
    unasked: [],
  };
  let after = '';
  for (let hasMore = true; hasMore && result.records < triedRecords;) {
    const records =
      text === undefined ? await store.sample(question.type, after, batchSize) : [{ id: '', text }];
    const { outcomes, haltedChecks } = await runner.evaluate(
      [question],
      records.map((record) => record.text),
    );
    for (const [index, { id }] of records.entries()) note(result, id, outcomes[index]?.[0]);
    result.records += records.length;
    after = records.at(-1)?.id ?? '';
    hasMore = text === undefined && records.length === batchSize && haltedChecks.size === 0;
  }
  return result;
}

function note(result: MutableTrialResult, id: string, checkOutcome: CheckOutcome | undefined): void {
  if (!checkOutcome || checkOutcome.is === 'none') return;
  if (checkOutcome.is === 'skipped') {
    result.skipped += 1;
    if (result.unasked.length < maxNamedRecords) result.unasked.push({ id, why: checkOutcome.why });
    return;
  }
  result.applied += 1;
  if (checkOutcome.is !== 'broken') return;
  result.violated += 1;
  if (result.broken.length < maxNamedRecords)
    result.broken.push({ id, pointers: [...checkOutcome.pointers] });
}
