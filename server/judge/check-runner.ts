/**
 * Asks stewards' checks of records in a thread of its own. Called by the job that checks all records, and where a check is
 * tried. Invariant: an expression that runs away, or that takes the thread's memory, costs its own record its verdict and
 * nobody else's, and one that cannot be parsed in time its own check; the thread that answers requests never waits for one.
 */
import { expressionNames, type Asked, type CheckQuestion } from '../../core/app/checks.ts';
import { memoryBudget } from '../memory-budget.ts';
import { threadFile } from '../store/thread-file.ts';
import { itemOf, type CheckAnswers, type CheckOrder, type CheckReply } from './check-messages.ts';
import { parsedAt } from './watched-place.ts';
import { Ended, watchedThread, type WatchLimits } from './watched-thread.ts';

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

/** What an order is answered with. */
type CheckAnswer = Exclude<CheckReply, { ready: true }>;

export interface Judged {
  readonly answers: CheckAnswers;
  /** Numbers of the checks that ran away on too many records: none of the others was asked. */
  readonly halted: ReadonlySet<number>;
}

export type CheckRunner = ReturnType<typeof createCheckRunner>;

const file = threadFile(import.meta, 'check-thread');

export function createCheckRunner(given: Partial<RunnerLimits> = {}) {
  const limits = { ...usual, ...given };
  const thread = watchedThread<CheckOrder, CheckAnswer>(file, limits);
  const { place } = thread;

  async function judge(
    checks: readonly CheckQuestion[],
    texts: readonly (string | undefined)[],
  ): Promise<Judged> {
    const why = new Map<number, string>();
    const runaways = checks.map(() => 0);
    const halted = new Set<number>();
    const without = new Set<number>();
    const unparsed = new Map<number, string>();
    for (;;) {
      try {
        const reply = await thread.ask({ checks, texts, without, unparsed: new Set(unparsed.keys()), place });
        const answers = 'answers' in reply ? reply.answers : [];
        return { answers: answers.map((row, at) => explained(row, at)), halted };
      } catch (error) {
        const item = Atomics.load(place, 0);
        if (!(error instanceof Ended) || item === 0 || thread.isClosed()) throw error;
        const parsed = parsedAt(item);
        if (parsed !== undefined) {
          unparsed.set(parsed, notParsed(error));
          continue;
        }
        without.add(item);
        why.set(item, error.why);
        const check = (item - 1) % checks.length;
        runaways[check] = (runaways[check] ?? 0) + 1;
        if (runaways[check] < limits.runaways) continue;
        halted.add(check);
        for (const record of texts.keys()) without.add(itemOf(record, check, checks.length));
      }
    }

    function explained(row: readonly Asked[], record: number): readonly Asked[] {
      return row.map((one, check): Asked =>
        one.is === 'skipped' && one.why === ''
          ? {
              is: 'skipped',
              why: unparsed.get(check) ?? why.get(itemOf(record, check, checks.length)) ?? givenUp,
            }
          : one,
      );
    }
  }

  async function faults(
    faultsIn: CheckQuestion,
  ): Promise<readonly (readonly [name: string, fault: string])[]> {
    try {
      const reply = await thread.ask({ faultsIn, place });
      return 'faults' in reply ? reply.faults : [];
    } catch (error) {
      const name = expressionNames[parsedAt(Atomics.load(place, 0)) ?? -1];
      if (!(error instanceof Ended) || name === undefined || thread.isClosed()) throw error;
      return [[name, notParsed(error)]];
    }
  }

  return {
    /** What is wrong with a check's expressions, by the name of each. */
    faults: (faultsIn: CheckQuestion): Promise<readonly (readonly [name: string, fault: string])[]> =>
      thread.queued(() => faults(faultsIn)),

    /** What checks that can be parsed come to for records. */
    judge: (checks: readonly CheckQuestion[], texts: readonly (string | undefined)[]): Promise<Judged> =>
      thread.queued(() => judge(checks, texts)),

    close: (): Promise<void> => thread.close(),
  };
}

function notParsed({ why }: Ended): string {
  return `The expression cannot be read. ${why}`;
}

const givenUp = 'The check was given up, as it ran away on other records.';
