/** Data of `/app/training`. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { NamedRecord } from './session.ts';

export const TrainingSet = v.picklist(['clean', 'migration', 'busy']);
export type TrainingSet = Shape<typeof TrainingSet>;
export const trainingSets = TrainingSet.options;

/** `GET /app/training/migration/defects`: seeded defects in the migration records. */
export const TrainingDefects = v.array(
  v.object({
    /** Title before the defect. */
    ...NamedRecord.entries,
    /** Id of a rule of core/fhir/validation. */
    rule: v.string(),
    pointer: v.string(),
  }),
);
export type TrainingDefect = Shape<typeof TrainingDefects>[number];

/** State of the simulated writer. */
export const WriterState = v.object({
  running: v.boolean(),
  /** Seconds between two changes. */
  seconds: v.number(),
  /** Changes since its start. */
  changes: v.number(),
  /** Last changed record, and the instant. */
  last: v.exactOptional(v.object({ ...NamedRecord.entries, version: v.number(), at: v.string() })),
  /** Reason why it stopped without a request. */
  problem: v.exactOptional(v.string()),
  problemCode: v.exactOptional(v.string()),
});
export type WriterState = Shape<typeof WriterState>;

/** `GET /app/training`. */
export const TrainingState = v.object({
  seed: v.number(),
  sets: v.array(
    v.object({
      set: TrainingSet,
      records: v.number(),
      /** Count of the records that are stored, in any version. */
      loaded: v.number(),
    }),
  ),
  /** Count of records in the store, and of those outside all sets. */
  total: v.number(),
  others: v.number(),
  /** Records that the simulated writer changes in turn. */
  ward: v.array(NamedRecord),
  writer: WriterState,
});
export type TrainingState = Shape<typeof TrainingState>;

/** Body of `POST /app/training/reset`: count of records outside all sets that the caller agrees to lose. */
export const TrainingReset = v.object({ others: v.number() });
export type TrainingReset = Shape<typeof TrainingReset>;

/** Result of a reset. */
export const TrainingEmptied = v.object({
  removed: v.number(),
  backup: v.object({ path: v.string(), bytes: v.number() }),
});
export type TrainingEmptied = Shape<typeof TrainingEmptied>;

/** Author of versions of the simulated writer. */
export const wardAuthor = 'busy-ward';

export const writerSeconds = { least: 1, most: 60, usual: 5 } as const;

/** `POST /app/training/writer`. */
export const WriterRequest = v.object({
  seconds: v.pipe(v.number(), v.integer(), v.minValue(writerSeconds.least), v.maxValue(writerSeconds.most)),
});
