/**
 * Exercises on the training data. Each is evaluated by the current records. Called by the routes of
 * `/app/practice`. Stores only the start of each exercise; everything else follows from the records.
 */
import {
  requiredValues,
  exercises,
  practiceAuthor,
  type Exercise,
  type ExerciseState,
  type PracticeStarted,
} from '../../core/app/practice.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { recordChanges } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { scan } from '../../core/json/scan.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { RecordService } from '../fhir/service.ts';
import { recordsOf } from './load-training.ts';
import type { Training } from './training.ts';
import type { Actor, HistoryVersion, OrDamaged, RecordStore } from '../store/store.ts';
import { rows, textAt, type EditedRecord } from '../demo/exercises.ts';

const messages = defineMessages('practice', {
  notStarted: 'The exercise with your colleague has not been started.',
});

export interface PracticeParts {
  readonly service: Pick<RecordService, 'mend' | 'patch'>;
  readonly store: Pick<RecordStore, 'history'>;
  readonly training: Pick<Training, 'load' | 'state'>;
  readonly seed: number;
  readonly clock: () => number;
  readonly startedExercises: { read(): PracticeStarted; save(startedExercises: PracticeStarted): void };
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

export function createPractice({ service, store, training, seed, clock, startedExercises }: PracticeParts) {
  const recordsByExercise = new Map<Exercise, readonly ExerciseRecord[]>();

  function recordsFor(exercise: Exercise): readonly ExerciseRecord[] {
    const records = recordsByExercise.get(exercise) ?? pickExerciseRecords(exercise, seed);
    recordsByExercise.set(exercise, records);
    return records;
  }

  /** Returns the changes of a record since an instant; undefined if it does not exist. */
  async function readExerciseRecord(
    { type, id }: ExerciseRecord,
    since: string,
  ): Promise<EditedRecord | undefined> {
    const { versions } = await store.history(type, { id }, mostVersions);
    const intactVersions = [...versions].filter(isWhole).reverse();
    const initialVersion = intactVersions.findLast(({ lastUpdated }) => lastUpdated <= since);
    const now = intactVersions.at(-1);
    if (!initialVersion || !now) return undefined;
    const from = scan(initialVersion.text).root;
    const root = scan(now.text).root;
    const today = dayOf(clock());
    return {
      steps: intactVersions
        .filter(({ lastUpdated }) => lastUpdated > since)
        .map(({ author, operation, text }) => ({
          author,
          operation,
          changes: recordChanges(from, scan(text).root),
        })),
      changes: recordChanges(from, root),
      findings: root.kind === 'object' ? validate(root, type, { today }).map(messageOf) : [],
    };
  }

  async function stateOf(exercise: Exercise): Promise<ExerciseState> {
    const records = recordsFor(exercise);
    const progress = {
      exercise,
      records: records.map(({ type, id, title, patient }) => ({ type, id, title, patient })),
    };
    const since = startedExercises.read()[exercise];
    if (since === undefined) return { ...progress, left: [], leftMessages: [] };
    const exerciseRecords = (
      await Promise.all(records.map((record) => readExerciseRecord(record, since)))
    ).filter((exerciseRecord) => exerciseRecord !== undefined);
    if (exerciseRecords.length < records.length) return { ...progress, left: [], leftMessages: [] };
    const leftMessages = [...rows[exercise].listRemainingSteps(exerciseRecords)];
    return { ...progress, begun: since, left: leftMessages.map(({ text }) => text), leftMessages };
  }

  return {
    state: (): Promise<ExerciseState[]> => Promise.all(exercises.map(stateOf)),

    /** Loads the records of the exercise and resets them to their initial state. */
    async begin(exercise: Exercise, actor: Actor): Promise<ExerciseState> {
      const { set } = rows[exercise];
      const { sets } = await training.state();
      if (sets.some((trainingSet) => trainingSet.set === set && trainingSet.loaded < trainingSet.records))
        await training.load(set, actor);
      for (const { type, id, text } of recordsFor(exercise)) {
        await service.mend({ type, id, text, author: practiceAuthor, ifMatch: '*' });
      }
      startedExercises.save({ ...startedExercises.read(), [exercise]: new Date(clock()).toISOString() });
      return stateOf(exercise);
    },

    /**
     * Saves a change of a simulated colleague while the user edits.
     *
     * @throws FhirError `business-rule` if the exercise was not started.
     */
    async colleague(): Promise<ExerciseState> {
      const state = await stateOf('conflict');
      const [record] = state.records;
      if (state.begun === undefined || !record) throw new FhirError('business-rule', messages.notStarted());
      const { type, id } = record;
      const text = JSON.stringify([{ op: 'replace', path: '/description', value: requiredValues.colleague }]);
      await service.patch({ type, id, text, author: practiceAuthor, ifMatch: '*' });
      return stateOf('conflict');
    },
  };
}

/** The records of an exercise, as its set has them. */
function pickExerciseRecords(exercise: Exercise, seed: number): readonly ExerciseRecord[] {
  const { set, count, skippedMatches: skipCount, suits } = rows[exercise];
  const matches: ExerciseRecord[] = [];
  for (const record of recordsOf(set, seed)) {
    const { type, id, text } = record;
    const { root } = scan(text);
    if (!suits(record, root)) continue;
    const [title = '', patient = ''] = [textAt(root, '/title'), textAt(root, '/subject/display')];
    matches.push({ type, id, text, title, patient });
    if (matches.length === skipCount + count) break;
  }
  return matches.slice(skipCount);
}

function messageOf({ rule, parameters, text }: Finding): Message {
  return { messageCode: rule, ...(parameters && { parameters }), text };
}

function isWhole(version: OrDamaged<HistoryVersion>): version is HistoryVersion {
  return 'text' in version;
}
