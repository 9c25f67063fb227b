/**
 * Judges records by profiles in a thread of its own, which is told the definitions that it asks for. Called by the job that
 * judges all records, and by `$validate`. Invariant: an invariant that runs away costs its own record its verdict; the
 * thread that answers requests reads definitions, and what records refer to, and nothing else; where nothing is judged by a
 * profile, no thread runs.
 */
import type { ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import type {
  DefinitionKind,
  Definitions,
  ProfileAnswer,
  ProfileOrder,
  ProfileQuestion,
  ProfileReply,
} from './profile-messages.ts';
import { memoryBudget } from '../memory-budget.ts';
import { threadFile } from '../store/thread-file.ts';
import { parsedAt } from './watched-place.ts';
import { Ended, watchedThread, type WatchLimits } from './watched-thread.ts';

export interface ProfileLimits extends WatchLimits {
  /** Invariants that may run away in one call, or be too costly to parse, before no further one is asked. */
  readonly runaways: number;
}

const usual: ProfileLimits = {
  time: 250,
  parsing: 2000,
  memory: memoryBudget().profileHeap,
  runaways: 5,
  idle: 30_000,
};

export type ProfileRunner = ReturnType<typeof createProfileRunner>;

const file = threadFile(import.meta, 'profile-thread');

const noneTold: Definitions = new Map();

/** The text of what a literal reference leads to; undefined where it is not at hand. */
export type Resolve = (reference: string) => Promise<string | undefined>;

/** References to follow from one to the next, and characters to read for one call, at most. */
const mostBeside = { steps: 5, characters: 8_000_000 };

/** Reads what records refer to, as it is asked for. */
function createBeside(resolve: Resolve) {
  const texts = new Map<string, string | undefined>();
  let [steps, characters] = [0, 0];
  return {
    texts,
    mayAsk: () => steps < mostBeside.steps && characters < mostBeside.characters,
    async follow(references: readonly string[]): Promise<void> {
      if (references.length > 0) steps += 1;
      for (const one of references) {
        const text = characters < mostBeside.characters ? await resolve(one) : undefined;
        characters += text?.length ?? 0;
        texts.set(one, text);
      }
    },
  };
}

export function createProfileRunner(given: Partial<ProfileLimits> = {}) {
  const limits = { ...usual, ...given };
  const thread = watchedThread<ProfileOrder, Exclude<ProfileReply, { ready: true }>>(file, limits);

  async function judge(
    set: ConformanceSet,
    questions: readonly ProfileQuestion[],
    resolve: Resolve,
  ): Promise<readonly ProfileAnswer[]> {
    const beside = createBeside(resolve);
    const without = new Set<number>();
    const unparsed = new Set<number>();
    let before = Infinity;
    let told = noneTold;
    for (;;) {
      try {
        const reply = await thread.ask({
          ...{ stamp: set.stamp, told, questions, without, unparsed, before, place: thread.place },
          ...{ beside: beside.texts, mayAsk: beside.mayAsk() },
        });
        if ('answers' in reply) return reply.answers;
        told = new Map(reply.wanted.map((key) => [key, definitionOf(set, key)]));
        await beside.follow(reply.references);
      } catch (error) {
        const item = Atomics.load(thread.place, 0);
        if (!(error instanceof Ended) || item === 0 || thread.isClosed()) throw error;
        const parsed = parsedAt(item);
        const number = parsed ?? item;
        (parsed === undefined ? without : unparsed).add(number);
        if (without.size + unparsed.size >= limits.runaways) before = Math.min(before, number);
        // Another thread knows nothing.
        told = noneTold;
      }
    }
  }

  return {
    /** What records come to by profiles, in their order. */
    judge: (
      set: ConformanceSet,
      questions: readonly ProfileQuestion[],
      resolve: Resolve = () => Promise.resolve(undefined),
    ): Promise<readonly ProfileAnswer[]> =>
      questions.length === 0 ? Promise.resolve([]) : thread.queued(() => judge(set, questions, resolve)),

    close: (): Promise<void> => thread.close(),
  };
}

function definitionOf(set: ConformanceSet, key: string) {
  const space = key.indexOf(' ');
  return set[key.slice(0, space) as DefinitionKind](key.slice(space + 1));
}
