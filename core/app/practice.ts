/** What page and server say to each other of `/app/practice`: exercises on the training data. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { NamedRecord } from './session.ts';

export const Exercise = v.picklist(['find', 'mend', 'conflict', 'patch', 'bulk']);
export type Exercise = Shape<typeof Exercise>;
export const exercises = Exercise.options;

/** Author of the versions that an exercise begins with, and of the colleague's. */
export const practiceAuthor = 'practice';

export const ExerciseState = v.object({
  exercise: Exercise,
  /** What the exercise is about, and whose: by what it was called when it was made. */
  records: v.array(v.object({ ...NamedRecord.entries, patient: v.string() })),
  /** When it was begun (an instant); absent where it was not, or where its records are gone. */
  begun: v.exactOptional(v.string()),
  /** What is still to be done, in sentences: none where it is done. */
  left: v.array(v.string()),
});
export type ExerciseState = Shape<typeof ExerciseState>;

/** `GET /app/practice`. */
export const PracticeState = v.array(ExerciseState);
export type PracticeState = Shape<typeof PracticeState>;

/** When each exercise was begun, by instants. */
export const PracticeBegun = v.object(v.entriesFromList(exercises, v.exactOptional(v.string())));
export type PracticeBegun = Shape<typeof PracticeBegun>;

/** What the learner is asked to write; the tasks say it in words. */
export const asked = {
  held: 'on-hold',
  title: 'Reviewed plan',
  colleague: 'Seen on the ward round; the plan goes on.',
  start: '2026-01-15',
} as const;
