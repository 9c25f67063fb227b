/** Data of `/app/practice`: exercises on the training data. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { CodedMessage } from './coded-message.ts';
import { DemoLoaded } from './models.ts';
import { NamedRecord } from './session.ts';

export const Exercise = v.picklist(['find', 'mend', 'conflict', 'patch', 'bulk']);
export type Exercise = Shape<typeof Exercise>;
export const exercises = Exercise.options;

/** `POST /app/practice-store`: the id of its connection, and the counts of loaded records. */
export const PracticeStoreOpened = v.object({ ...DemoLoaded.entries, connection: v.string() });
export type PracticeStoreOpened = Shape<typeof PracticeStoreOpened>;

/** `GET /app/practice-store`. The connection is absent before the store is first opened. */
export const PracticeStoreState = v.object({ connection: v.exactOptional(v.string()) });

/** Author of the first versions of an exercise and of the simulated colleague. */
export const practiceAuthor = 'practice';

export const ExerciseState = v.object({
  exercise: Exercise,
  /** Records of the exercise and their patients, with their titles at its start. */
  records: v.array(v.object({ ...NamedRecord.entries, patient: v.string() })),
  /** Instant of the start; absent before the start or if its records no longer exist. */
  begun: v.exactOptional(v.string()),
  /** Open tasks, one sentence each. Empty if the exercise is complete. */
  left: v.array(v.string()),
  /** The same messages with their codes, in the same order. */
  leftMessages: v.array(CodedMessage),
});
export type ExerciseState = Shape<typeof ExerciseState>;

/** `GET /app/practice`. */
export const PracticeState = v.array(ExerciseState);
export type PracticeState = Shape<typeof PracticeState>;

/** Instants at which exercises were started. */
export const PracticeStarted = v.object(v.entriesFromList(exercises, v.exactOptional(v.string())));
export type PracticeStarted = Shape<typeof PracticeStarted>;

/** Values that the learner must write. The tasks describe them. */
export const requiredValues = {
  held: 'on-hold',
  title: 'Reviewed plan',
  colleague: 'Seen on the ward round; the plan goes on.',
  start: '2026-01-15',
} as const;
