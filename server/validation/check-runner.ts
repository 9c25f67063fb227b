/**
 * Runs custom checks in a worker. Called by the job that checks all records and by the trial of a check.
 * Invariant: an expression that does not end or exhausts the worker's memory costs only the result of its
 * own record. An expression that cannot be parsed in time costs only its own check. The thread of the HTTP server
 * never waits for an expression.
 */
import { expressionNames, type CheckOutcome, type CheckExpressions } from '../../core/app/checks.ts';
import type { Problem } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { memoryBudget } from '../memory-budget.ts';
import { threadFile } from '../threads/thread-pool.ts';
import type { CheckAnswers, CheckHandlers } from './check-worker.ts';
import { itemOf, parsedAt } from './watched-place.ts';
import { WorkerExitedError, watchedThread, type WatchLimits } from './supervised-worker.ts';

const messages = defineMessages('check', {
  unreadable: 'Can’t read the expression. {reason}',
});

export interface RunnerLimits extends WatchLimits {
  /** Records on which a check may run away in one call, before it is given up. */
  readonly runaways: number;
}

const usual: RunnerLimits = {
  time: 250,
  parsing: 2000,
  memory: memoryBudget().checkHeap,
  runaways: 5,
  idle: 10_000,
};

export interface CheckRun {
  readonly outcomes: CheckAnswers;
  /**
   * Numbers of the checks that exceeded the limit on too many records. They were evaluated on no other
   * record.
   */
  readonly haltedChecks: ReadonlySet<number>;
}

export type CheckRunner = ReturnType<typeof createCheckRunner>;

const file = threadFile(import.meta, 'check-worker');

export function createCheckRunner(givenLimits: Partial<RunnerLimits> = {}) {
  const limits = { ...usual, ...givenLimits };
  const thread = watchedThread<CheckHandlers>(file, limits);
  const { sharedPosition } = thread;

  async function evaluate(
    checks: readonly CheckExpressions[],
    texts: readonly (string | undefined)[],
  ): Promise<CheckRun> {
    const reasonsByCheck = new Map<number, string>();
    const runaways = checks.map(() => 0);
    const haltedChecks = new Set<number>();
    const skippedItems = new Set<number>();
    const unparsed = new Map<number, string>();
    for (;;) {
      try {
        const request = { checks, texts, skippedItems, unparsed: new Set(unparsed.keys()) };
        const outcomeRows = await thread.ask('judge', [request]);
        return {
          outcomes: outcomeRows.map((row, index) => explained(row, index)),
          haltedChecks,
        };
      } catch (error) {
        const item = Atomics.load(sharedPosition, 0);
        if (!(error instanceof WorkerExitedError) || item === 0 || thread.isClosed()) throw error;
        const parsed = parsedAt(item);
        if (parsed !== undefined) {
          unparsed.set(parsed, notParsed(error).text);
          continue;
        }
        skippedItems.add(item);
        reasonsByCheck.set(item, error.reason);
        const check = (item - 1) % checks.length;
        runaways[check] = (runaways[check] ?? 0) + 1;
        if (runaways[check] < limits.runaways) continue;
        haltedChecks.add(check);
        for (const record of texts.keys()) skippedItems.add(itemOf(record, check, checks.length));
      }
    }

    function explained(row: readonly CheckOutcome[], record: number): readonly CheckOutcome[] {
      return row.map((outcome, check): CheckOutcome =>
        outcome.is === 'skipped' && outcome.why === ''
          ? {
              is: 'skipped',
              why:
                unparsed.get(check) ??
                reasonsByCheck.get(itemOf(record, check, checks.length)) ??
                haltMessage,
            }
          : outcome,
      );
    }
  }

  async function faults(
    faultsIn: CheckExpressions,
  ): Promise<readonly (readonly [name: string, fault: Problem])[]> {
    try {
      return await thread.ask('listFaults', [faultsIn]);
    } catch (error) {
      const name = expressionNames[parsedAt(Atomics.load(sharedPosition, 0)) ?? -1];
      if (!(error instanceof WorkerExitedError) || name === undefined || thread.isClosed()) throw error;
      return [[name, notParsed(error)]];
    }
  }

  return {
    /** Returns the problems of a check's expressions by expression name. */
    faults: (faultsIn: CheckExpressions): Promise<readonly (readonly [name: string, fault: Problem])[]> =>
      thread.queued(() => faults(faultsIn)),

    /** Runs checks that can be parsed on records. */
    evaluate: (
      checks: readonly CheckExpressions[],
      texts: readonly (string | undefined)[],
    ): Promise<CheckRun> => thread.queued(() => evaluate(checks, texts)),

    close: (): Promise<void> => thread.close(),
  };
}

function notParsed({ reason }: WorkerExitedError): Message {
  return messages.unreadable({ reason });
}

const haltMessage = 'The check was stopped because it took too long or too much memory on other records.';
