/** What page and server say to each other of `/app/training`. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { NamedRecord } from './session.ts';

export const TrainingSet = v.picklist(['clean', 'migration', 'busy']);
export type TrainingSet = Shape<typeof TrainingSet>;
export const trainingSets = TrainingSet.options;

/** `GET /app/training/migration/defects`: what was planted in the records of the migration, and where it is found. */
export const TrainingDefects = v.array(
  v.object({
    /** By what it was called before. */
    ...NamedRecord.entries,
    /** Id of a rule of core/fhir/validation. */
    rule: v.string(),
    /** JSON Pointer of the element. */
    pointer: v.string(),
  }),
);
export type TrainingDefect = Shape<typeof TrainingDefects>[number];

/** The busy ward's writer. */
export const WriterState = v.object({
  running: v.boolean(),
  /** Seconds between two changes. */
  seconds: v.number(),
  /** Changes since it was started. */
  changes: v.number(),
  /** What it changed last, and when (an instant). */
  last: v.exactOptional(v.object({ ...NamedRecord.entries, version: v.number(), at: v.string() })),
  /** Why it stopped by itself. */
  problem: v.exactOptional(v.string()),
});
export type WriterState = Shape<typeof WriterState>;

/** `GET /app/training`. */
export const TrainingState = v.object({
  seed: v.number(),
  sets: v.array(
    v.object({
      set: TrainingSet,
      /** Records of the set. */
      records: v.number(),
      /** How many of them are stored, in whatever version. */
      loaded: v.number(),
    }),
  ),
  /** Records in the store, and how many of them are of no set. */
  total: v.number(),
  others: v.number(),
  /** The records that the busy ward takes in turn. */
  ward: v.array(NamedRecord),
  writer: WriterState,
});
export type TrainingState = Shape<typeof TrainingState>;

/** `POST /app/training/reset`: how many records that are of no set the asker knows to lose. */
export const TrainingReset = v.object({ others: v.number() });
export type TrainingReset = Shape<typeof TrainingReset>;

/** What a reset did. */
export const TrainingEmptied = v.object({
  removed: v.number(),
  /** The copy of the database as it was, in the data folder. */
  backup: v.object({ path: v.string(), bytes: v.number() }),
});
export type TrainingEmptied = Shape<typeof TrainingEmptied>;

/** Author of the busy ward's versions. */
export const wardAuthor = 'busy-ward';

export const writerSeconds = { least: 1, most: 60, usual: 5 } as const;

/** `POST /app/training/writer`. */
export const WriterRequest = v.object({
  seconds: v.pipe(v.number(), v.integer(), v.minValue(writerSeconds.least), v.maxValue(writerSeconds.most)),
});
