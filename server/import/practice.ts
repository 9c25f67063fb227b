/**
 * Exercises on the training data, each judged by what the store then holds. Called by the routes of `/app/practice`.
 * Keeps when each was begun, and nothing else: the records tell the rest.
 */
import {
  asked,
  exercises,
  practiceAuthor,
  type Exercise,
  type ExerciseState,
  type PracticeBegun,
} from '../../core/app/practice.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { recordChanges } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { scan } from '../../core/json/scan.ts';
import type { RecordService } from '../fhir/service.ts';
import { recordsOf } from './load-training.ts';
import type { Training } from './training.ts';
import type { Doer, HistoryVersion, OrDamaged, RecordStore } from '../store/store.ts';
import { rows, textAt, type Held } from '../demo/exercises.ts';

export interface PracticeParts {
  readonly service: Pick<RecordService, 'mend' | 'patch'>;
  readonly store: Pick<RecordStore, 'history'>;
  readonly training: Pick<Training, 'load' | 'state'>;
  readonly seed: number;
  readonly clock: () => number;
  readonly begun: { read(): PracticeBegun; save(begun: PracticeBegun): void };
}

export type Practice = ReturnType<typeof createPractice>;

/** Versions of a record that are looked at. */
const mostVersions = 100;

interface ExerciseRecord {
  readonly type: ResourceType;
  readonly id: string;
  readonly text: string;
  readonly title: string;
  readonly patient: string;
}

export function createPractice({ service, store, training, seed, clock, begun }: PracticeParts) {
  const known = new Map<Exercise, readonly ExerciseRecord[]>();

  function recordsFor(exercise: Exercise): readonly ExerciseRecord[] {
    const records = known.get(exercise) ?? chosen(exercise, seed);
    known.set(exercise, records);
    return records;
  }

  /** What became of a record since an instant; undefined where it is not there. */
  async function heldOf({ type, id }: ExerciseRecord, since: string): Promise<Held | undefined> {
    const { versions } = await store.history(type, { id }, mostVersions);
    const all = [...versions].filter(isWhole).reverse();
    const first = all.findLast(({ lastUpdated }) => lastUpdated <= since);
    const now = all.at(-1);
    if (!first || !now) return undefined;
    const from = scan(first.text).root;
    const root = scan(now.text).root;
    const today = dayOf(clock());
    return {
      steps: all
        .filter(({ lastUpdated }) => lastUpdated > since)
        .map(({ author, operation, text }) => ({
          ...{ author, operation },
          changes: recordChanges(from, scan(text).root),
        })),
      changes: recordChanges(from, root),
      findings: root.kind === 'object' ? validate(root, type, { today }).map(({ text }) => text) : [],
    };
  }

  async function stateOf(exercise: Exercise): Promise<ExerciseState> {
    const records = recordsFor(exercise);
    const told = {
      exercise,
      records: records.map(({ type, id, title, patient }) => ({ type, id, title, patient })),
    };
    const since = begun.read()[exercise];
    if (since === undefined) return { ...told, left: [] };
    const held = (await Promise.all(records.map((record) => heldOf(record, since)))).filter(
      (one) => one !== undefined,
    );
    if (held.length < records.length) return { ...told, left: [] };
    return { ...told, begun: since, left: [...rows[exercise].left(held)] };
  }

  return {
    state: (): Promise<ExerciseState[]> => Promise.all(exercises.map(stateOf)),

    /** Loads what the exercise is about, and puts its records as they are to begin with. */
    async begin(exercise: Exercise, doer: Doer): Promise<ExerciseState> {
      const { set } = rows[exercise];
      const { sets } = await training.state();
      if (sets.some((one) => one.set === set && one.loaded < one.records)) await training.load(set, doer);
      for (const { type, id, text } of recordsFor(exercise)) {
        await service.mend({ type, id, text, author: practiceAuthor, ifMatch: '*' });
      }
      begun.save({ ...begun.read(), [exercise]: new Date(clock()).toISOString() });
      return stateOf(exercise);
    },

    /**
     * Saves as a colleague would while the learner edits.
     *
     * @throws FhirError `business-rule` where the exercise was not begun.
     */
    async colleague(): Promise<ExerciseState> {
      const state = await stateOf('conflict');
      const [record] = state.records;
      if (state.begun === undefined || !record)
        throw new FhirError('business-rule', { text: 'The exercise with the colleague was not begun.' });
      const { type, id } = record;
      const text = JSON.stringify([{ op: 'replace', path: '/description', value: asked.colleague }]);
      await service.patch({ type, id, text, author: practiceAuthor, ifMatch: '*' });
      return stateOf('conflict');
    },
  };
}

/** The records of an exercise, as its set has them. */
function chosen(exercise: Exercise, seed: number): readonly ExerciseRecord[] {
  const { set, count, behind, suits } = rows[exercise];
  const found: ExerciseRecord[] = [];
  for (const record of recordsOf(set, seed)) {
    const { type, id, text } = record;
    const { root } = scan(text);
    if (!suits(record, root)) continue;
    const [title = '', patient = ''] = [textAt(root, '/title'), textAt(root, '/subject/display')];
    found.push({ type, id, text, title, patient });
    if (found.length === behind + count) break;
  }
  return found.slice(behind);
}

function isWhole(version: OrDamaged<HistoryVersion>): version is HistoryVersion {
  return 'text' in version;
}
