import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { pickExpressions, type CheckDefinition } from '../../core/app/checks.ts';
import { Random } from '../../server/demo/random.ts';
import { openRecords } from '../../server/start.ts';
import { connect } from '../../server/sqlite/sqlite.ts';
import { ageDerivedRows, derivedRowsIn } from '../../server/testing/derived-rows.ts';
import { openWorkspace } from '../../server/workspace/workspace.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';

const kills = { full: 20, short: 3 } as const;

/** Records for each kill. A kill comes within a few batches, and all kills come before the end. */
const recordsPerKill = 500;

/** Highest number of batches between two kills. */
const maxBatches = 3;

/** The day on which all records are validated. */
const today = Date.UTC(2026, 10, 22, 12);

const script = resolve(import.meta.dirname, '../../server/testing/judging-process.ts');

const createCheck = (
  id: string,
  expression: string,
  members: Partial<CheckDefinition> = {},
): CheckDefinition => ({
  id,
  title: id,
  category: 'completeness',
  severity: 'warning',
  active: true,
  ...pickExpressions({ type: 'CarePlan', holds: expression }),
  ...members,
});

/**
 * Checks: satisfied by all, with pointers, applicable to some, not evaluable for some, and dependent on the
 * date.
 */
const checks: readonly CheckDefinition[] = [
  createCheck('subject', 'subject.exists()'),
  createCheck('known', "activity.all(detail.status != 'unknown')", { points: 'activity.detail.status' }),
  createCheck('even', 'false', { applies: "title.endsWith('0')", severity: 'error' }),
  createCheck('several', "iif(title.endsWith('7'), activity.detail, true)"),
  createCheck('current', 'period.end >= today()', { applies: 'period.end.exists()', points: 'period.end' }),
];

/**
 * Validation that is killed again and again, with rows of another program, findings of checks, and measures.
 */
export const judgingKilled: FaultCase = {
  name: 'judging-killed',
  claim:
    'Validation that is killed again and again is completed, both for the built-in rules and for custom checks. Its results, findings and measures equal those of an undisturbed store.',
  parallel: true,
  long: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const [disturbed, undisturbed] = [join(folder, 'disturbed'), join(folder, 'quiet')];
  const records = kills[runLength] * recordsPerKill;
  await createFilledStore(disturbed, records);
  await cp(disturbed, undisturbed, { recursive: true });
  if ((await validateUntilKilled(undisturbed, Infinity)) !== 'ended')
    throw new FaultError('Judging that nobody disturbs does not end.', tally.figures);
  const random = new Random(seed, 0, 24);
  for (let round = 0; round < kills[runLength]; round += 1) {
    if ((await validateUntilKilled(disturbed, random.integerBetween(1, maxBatches))) === 'ended')
      throw new FaultError('It ended before the last kill.', tally.figures);
    tally.add('kills', 1);
    if ((round + 1) % 5 === 0) say(`${round + 1} of ${kills[runLength]} kills`);
  }
  if ((await validateUntilKilled(disturbed, Infinity)) !== 'ended')
    throw new FaultError('It did not end.', tally.figures);
  const [actualRows, expectedRows] = [readResults(disturbed), readResults(undisturbed)];
  for (const [label, rows] of Object.entries(expectedRows)) {
    if (!isDeepStrictEqual(actualRows[label], rows))
      throw new FaultError(`${label}: other rows stand than where nobody disturbed it.`, tally.figures);
    if (Array.isArray(rows) && rows.length === 0)
      throw new FaultError(`${label}: there is nothing to compare.`, tally.figures);
  }
  await expectVerified(disturbed);
  tally.add('records', records);
  tally.add('findings', expectedRows.findings?.length ?? 0);
  return { result: 'passed', figures: tally.figures };
}

/** Creates a store of plans with rows of another program, and checks that were not evaluated yet. */
async function createFilledStore(folder: string, records: number): Promise<void> {
  const { store, service } = await openRecords(folder, { clock: () => today });
  for (let number = 0; number < records; number += 1) {
    await service.create({ type: 'CarePlan', text: plan(number), author: 'fault' });
  }
  await store.close();
  ageDerivedRows(join(folder, 'records.db'));
  const workspace = await openWorkspace(join(folder, 'workspace.db'));
  for (const check of checks) workspace.checks.put(check, 'fault');
  await workspace.close();
}

function plan(number: number): string {
  const status = number % 5 === 0 ? 'unknown' : 'scheduled';
  return JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title: `Plan ${number}`,
    subject: { reference: `Patient/${number % 100}` },
    ...(number % 3 === 0 && { period: { start: '2025-01-01', end: `202${5 + (number % 4)}-12-31` } }),
    activity: [{ detail: { status } }, { detail: { status: 'scheduled' } }],
  });
}

/**
 * Returns the results of a validation by kind: the rows of the rules, and the rows that only a complete store
 * has.
 */
function readResults(folder: string): Record<string, readonly unknown[] | undefined> {
  const path = join(folder, 'records.db');
  const database = connect(path, { readonly: true });
  const queryAll = (sql: string) => database.prepare(sql).raw().all();
  try {
    return {
      rules: [derivedRowsIn(path)],
      findings: queryAll(
        `SELECT r.id, i.rule, i.severity, i.category, i.pointer, i.since FROM issue i JOIN record r ON r.pk = i.record
         WHERE instr(i.rule, '/') > 0 ORDER BY r.id, i.rule, i.pointer`,
      ),
      verdicts: queryAll(
        'SELECT r.id, c.applied, c.skipped FROM check_result c JOIN record r ON r.pk = c.record ORDER BY r.id',
      ),
      progress: queryAll('SELECT id, stamp, done, halted FROM check_slot ORDER BY id'),
      measures: queryAll('SELECT * FROM measure ORDER BY day, rule, type'),
    };
  } finally {
    database.close();
  }
}

/** Runs a validation and kills it after a number of batches. Returns how it ended. */
async function validateUntilKilled(folder: string, batches: number): Promise<'ended' | 'killed'> {
  const child = spawn(process.execPath, [script, folder, String(today)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let remainingBatches = batches;
  createInterface(child.stdout).on('line', () => {
    remainingBatches -= 1;
    if (remainingBatches === 0) child.kill('SIGKILL');
  });
  const [code] = await exit;
  return code === 0 ? 'ended' : 'killed';
}
