/**
 * Validates records against profiles in a worker, which requests the definitions that it needs. Called by
 * the job that validates all records and by `$validate`. Invariants: a FHIRPath invariant that does not end
 * costs only the result of its own record. The thread of the HTTP server reads only definitions and
 * referenced resources. Without a profile no worker runs.
 */
import type { ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import type { DefinitionKind, Definitions, ProfileAnswer, ProfileQuestion } from './profile-messages.ts';
import type { ProfileHandlers } from './profile-worker.ts';
import { memoryBudget } from '../memory-budget.ts';
import { threadFile } from '../threads/thread-pool.ts';
import { parsedAt } from './watched-place.ts';
import { WorkerExitedError, watchedThread, type WatchLimits } from './supervised-worker.ts';

export interface ProfileLimits extends WatchLimits {
  /**
   * Maximum number of invariants in one call that may time out or be too costly to parse. Then no further
   * one runs.
   */
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

const file = threadFile(import.meta, 'profile-worker');

const noDefinitions: Definitions = new Map();

/** Returns the text of the target of a literal reference; undefined if not available. */
export type Resolve = (reference: string) => Promise<string | undefined>;

/** References to follow from one to the next, and characters to read for one call, at most. */
const maxReferences = { steps: 5, characters: 8_000_000 };

/** Reads referenced resources on request. */
function createBeside(resolve: Resolve) {
  const texts = new Map<string, string | undefined>();
  let [steps, characters] = [0, 0];
  return {
    texts,
    mayAsk: () => steps < maxReferences.steps && characters < maxReferences.characters,
    async follow(references: readonly string[]): Promise<void> {
      if (references.length > 0) steps += 1;
      for (const reference of references) {
        const text = characters < maxReferences.characters ? await resolve(reference) : undefined;
        characters += text?.length ?? 0;
        texts.set(reference, text);
      }
    },
  };
}

export function createProfileRunner(givenLimits: Partial<ProfileLimits> = {}) {
  const limits = { ...usual, ...givenLimits };
  const thread = watchedThread<ProfileHandlers>(file, limits);

  async function judge(
    set: ConformanceSet,
    questions: readonly ProfileQuestion[],
    resolve: Resolve,
  ): Promise<readonly ProfileAnswer[]> {
    const referencedTexts = createBeside(resolve);
    const skippedInvariants = new Set<number>();
    const unparsed = new Set<number>();
    let before = Infinity;
    let sentDefinitions = noDefinitions;
    for (;;) {
      try {
        const request = {
          stamp: set.stamp,
          definitions: sentDefinitions,
          questions,
          skippedInvariants,
          unparsed,
          before,
          referencedTexts: referencedTexts.texts,
          canRequestMore: referencedTexts.mayAsk(),
        };
        const response = await thread.ask('judge', [request]);
        if ('answers' in response) return response.answers;
        sentDefinitions = new Map(response.definitions.map((key) => [key, definitionOf(set, key)]));
        await referencedTexts.follow(response.references);
      } catch (error) {
        const item = Atomics.load(thread.sharedPosition, 0);
        if (!(error instanceof WorkerExitedError) || item === 0 || thread.isClosed()) throw error;
        const parsed = parsedAt(item);
        const number = parsed ?? item;
        (parsed === undefined ? skippedInvariants : unparsed).add(number);
        if (skippedInvariants.size + unparsed.size >= limits.runaways) before = Math.min(before, number);
        // A new worker has no definitions.
        sentDefinitions = noDefinitions;
      }
    }
  }

  return {
    /** Returns the validation results of records, in order. */
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
