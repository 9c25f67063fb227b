import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { questionOf, type CheckDefinition } from '../../core/app/checks.ts';
import { Random } from '../../server/demo/random.ts';
import { openRecords } from '../../server/start.ts';
import { connect } from '../../server/store/sqlite/sqlite.ts';
import { ageDerivedRows, derivedRowsIn } from '../../server/testing/derived-rows.ts';
import { openWorkspace } from '../../server/workspace/workspace.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';

const kills = { full: 20, short: 3 } as const;

/** Records for each kill: it comes within a few slices, and all kills come before the end. */
const apart = 500;

/** Slices between two kills, at most. */
const most = 3;

/** The day on which all records are judged. */
const today = Date.UTC(2026, 10, 22, 12);

const script = resolve(import.meta.dirname, '../../server/testing/judging-process.ts');

const checkOf = (id: string, holds: string, more: Partial<CheckDefinition> = {}): CheckDefinition => ({
  ...{ id, title: id, category: 'completeness', severity: 'warning', active: true },
  ...questionOf({ type: 'CarePlan', holds }),
  ...more,
});

/** One that holds, one that points, one that applies to some, one that cannot be asked of some, one that is asked daily. */
const checks: readonly CheckDefinition[] = [
  checkOf('subject', 'subject.exists()'),
  checkOf('known', "activity.all(detail.status != 'unknown')", { points: 'activity.detail.status' }),
  checkOf('even', 'false', { applies: "title.endsWith('0')", severity: 'error' }),
  checkOf('several', "iif(title.endsWith('7'), activity.detail, true)"),
  checkOf('current', 'period.end >= today()', { applies: 'period.end.exists()', points: 'period.end' }),
];

/** Judging that is killed again and again, with rows of another program, findings of its own and measures. */
export const judgingKilled: FaultCase = {
  name: 'judging-killed',
  claim:
    'Judging that is killed again and again, by the program’s rules and by checks of one’s own, is gone on with: verdicts, findings and measures are those of a store that nobody disturbed.',
  beside: true,
  long: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const [disturbed, quiet] = [join(folder, 'disturbed'), join(folder, 'quiet')];
  const records = kills[extent] * apart;
  await filled(disturbed, records);
  await cp(disturbed, quiet, { recursive: true });
  if ((await judged(quiet, Infinity)) !== 'ended')
    throw new FaultError('Judging that nobody disturbs does not end.', tally.figures);
  const random = new Random(seed, 0, 24);
  for (let one = 0; one < kills[extent]; one += 1) {
    if ((await judged(disturbed, random.between(1, most))) === 'ended')
      throw new FaultError('It ended before the last kill.', tally.figures);
    tally.add('kills', 1);
    if ((one + 1) % 5 === 0) say(`${one + 1} of ${kills[extent]} kills`);
  }
  if ((await judged(disturbed, Infinity)) !== 'ended') throw new FaultError('It did not end.', tally.figures);
  const [found, wanted] = [rowsIn(disturbed), rowsIn(quiet)];
  for (const [what, rows] of Object.entries(wanted)) {
    if (!isDeepStrictEqual(found[what], rows))
      throw new FaultError(`${what}: other rows stand than where nobody disturbed it.`, tally.figures);
    if (Array.isArray(rows) && rows.length === 0)
      throw new FaultError(`${what}: there is nothing to compare.`, tally.figures);
  }
  await expectVerified(disturbed);
  tally.add('records', records);
  tally.add('findings', wanted.findings?.length ?? 0);
  return { result: 'passed', figures: tally.figures };
}

/** A store of plans with rows of another program, and checks of which none was asked yet. */
async function filled(folder: string, records: number): Promise<void> {
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
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title: `Plan ${number}` },
    subject: { reference: `Patient/${number % 100}` },
    ...(number % 3 === 0 && { period: { start: '2025-01-01', end: `202${5 + (number % 4)}-12-31` } }),
    activity: [{ detail: { status } }, { detail: { status: 'scheduled' } }],
  });
}

/** What judging comes to, by what it is: the rules' rows, and those that only a whole store has. */
function rowsIn(folder: string): Record<string, readonly unknown[] | undefined> {
  const path = join(folder, 'records.db');
  const database = connect(path, { readonly: true });
  const all = (sql: string) => database.prepare(sql).raw().all();
  try {
    return {
      rules: [derivedRowsIn(path)],
      findings: all(
        `SELECT r.id, i.rule, i.severity, i.category, i.pointer, i.since FROM issue i JOIN record r ON r.pk = i.record
         WHERE instr(i.rule, '/') > 0 ORDER BY r.id, i.rule, i.pointer`,
      ),
      verdicts: all(
        'SELECT r.id, c.applied, c.skipped FROM check_result c JOIN record r ON r.pk = c.record ORDER BY r.id',
      ),
      progress: all('SELECT id, stamp, done, halted FROM check_slot ORDER BY id'),
      measures: all('SELECT * FROM measure ORDER BY day, rule, type'),
    };
  } finally {
    database.close();
  }
}

/** Judges, and kills that behind so many slices; answers how it ended. */
async function judged(folder: string, slices: number): Promise<'ended' | 'killed'> {
  const child = spawn(process.execPath, [script, folder, String(today)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let left = slices;
  createInterface(child.stdout).on('line', () => {
    left -= 1;
    if (left === 0) child.kill('SIGKILL');
  });
  const [code] = await exit;
  return code === 0 ? 'ended' : 'killed';
}
