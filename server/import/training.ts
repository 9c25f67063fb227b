import { setImmediate } from 'node:timers/promises';
import type { DemoLoaded } from '../../core/app/models.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import {
  trainingSets,
  type TrainingDefect,
  type TrainingEmptied,
  type TrainingReset,
  type TrainingSet,
  type TrainingState,
  type WriterState,
} from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { type ResourceType, perType, resourceTypes } from '../../core/fhir/resource.ts';
import { wardRecords } from '../demo/ward.ts';
import type { RecordService } from '../fhir/service.ts';
import { writingOf } from '../store/doer.ts';
import type { Doer, FileStore } from '../store/store.ts';
import { loadTraining, recordsOf } from './load-training.ts';
import { WardWriter } from './ward-writer.ts';

export interface TrainingParts {
  readonly service: RecordService;
  readonly store: FileStore;
  readonly seed: number;
  /** Removes all records behind a backup of them. */
  readonly empty: (doer: Doer) => Promise<TrainingEmptied['backup']>;
}

export type Training = ReturnType<typeof createTraining>;

type Ids = Readonly<Record<ResourceType, readonly string[]>>;

/** Training data: three sets, what is loaded of them, the busy ward, and back to an empty store. */
export function createTraining({ service, store, seed, empty }: TrainingParts) {
  const known = new Map<TrainingSet, Promise<Ids>>();
  let onWard: readonly NamedRecord[] | undefined;
  const ward = () => (onWard ??= wardRecords(seed));
  const writer = new WardWriter(service, ward, seed);

  function ids(set: TrainingSet): Promise<Ids> {
    const made = known.get(set) ?? idsOf(set, seed);
    known.set(set, made);
    return made;
  }

  const loaded = async (set: TrainingSet): Promise<number> => {
    const all = await ids(set);
    const counts = resourceTypes.map((type) => store.countOf(type, all[type]));
    return sum(await Promise.all(counts));
  };

  /** All records, and those that are of no set. */
  async function held(): Promise<{ total: number; others: number }> {
    const total = sum(Object.values(await store.count()));
    return { total, others: total - (await loaded('clean')) - (await loaded('migration')) };
  }

  return {
    async state(): Promise<TrainingState> {
      const sets = trainingSets.map(async (set) => {
        const records = sum(Object.values(await ids(set)).map(({ length }) => length));
        return { set, records, loaded: await loaded(set) };
      });
      return {
        seed,
        sets: await Promise.all(sets),
        ...(await held()),
        ward: ward(),
        writer: writer.state(),
      };
    },

    /** Stores what is missing of a set; the busy ward then starts to work. */
    async load(set: TrainingSet, doer: Doer): Promise<DemoLoaded> {
      const ended = store.beginBulk();
      const counts = await loadTraining(service, set, { ...writingOf(doer), seed }).finally(ended);
      if (set === 'busy') writer.start(writer.state().seconds);
      return counts;
    },

    /** What is planted in the migration, record by record. */
    defects(): TrainingDefect[] {
      return [...recordsOf('migration', seed)].flatMap(({ defect }) => defect ?? []);
    },

    /**
     * Backs the records up and removes them all.
     *
     * @throws FhirError `business-rule` where more records are of no set than the asker knows of.
     */
    async reset({ others: known }: TrainingReset, doer: Doer): Promise<TrainingEmptied> {
      const { total, others } = await held();
      if (others > known) {
        throw new FhirError('business-rule', {
          text: `${others} records are not training data; a reset removes them too. Name their number to go on.`,
        });
      }
      await writer.stop();
      return { removed: total, backup: await empty(doer) };
    },

    /** @throws FhirError `business-rule` where none of the ward's records is there. */
    async startWriter(seconds: number): Promise<WriterState> {
      const here = resourceTypes.map((type) =>
        store.countOf(
          type,
          ward().flatMap((one) => (one.type === type ? one.id : [])),
        ),
      );
      if (sum(await Promise.all(here)) === 0) {
        throw new FhirError('business-rule', { text: 'The busy ward has no records here; load it first.' });
      }
      writer.start(seconds);
      return writer.state();
    },

    async stopWriter(): Promise<WriterState> {
      await writer.stop();
      return writer.state();
    },
  };
}

/** How many records are made before others have a turn. */
const madeAtOnce = 20;

async function idsOf(set: TrainingSet, seed: number): Promise<Ids> {
  const ids = perType((): string[] => []);
  let made = 0;
  for (const { type, id } of recordsOf(set, seed)) {
    ids[type].push(id);
    made += 1;
    if (made % madeAtOnce === 0) await setImmediate();
  }
  return ids;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
