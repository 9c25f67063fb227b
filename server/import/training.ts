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
import { defineMessages } from '../../core/text/message.ts';
import { wardRecords } from '../demo/ward.ts';
import type { RecordService } from '../fhir/service.ts';
import { toAuthorship } from '../store/actor.ts';
import type { Actor, FileStore } from '../store/store.ts';
import { loadTraining, recordsOf } from './load-training.ts';
import { SimulatedWriter } from './ward-writer.ts';

const messages = defineMessages('training', {
  otherRecords: {
    one: '{n} record is not training data and would be deleted too. Send this number to continue.',
    other: '{n} records are not training data and would be deleted too. Send their number to continue.',
  },
  wardEmpty: 'The busy ward has no records. Load it first.',
});

export interface TrainingParts {
  readonly service: RecordService;
  readonly store: FileStore;
  readonly seed: number;
  /** Backs up all records and removes them. */
  readonly empty: (actor: Actor) => Promise<TrainingEmptied['backup']>;
}

export type Training = ReturnType<typeof createTraining>;

type Ids = Readonly<Record<ResourceType, readonly string[]>>;

/**
 * Creates the training data service: three sets, their loaded part, the busy ward, and the reset to an
 * empty store.
 */
export function createTraining({ service, store, seed, empty }: TrainingParts) {
  const idsBySet = new Map<TrainingSet, Promise<Ids>>();
  let onWard: readonly NamedRecord[] | undefined;
  const ward = () => (onWard ??= wardRecords(seed));
  const writer = new SimulatedWriter(service, ward, seed);

  function ids(set: TrainingSet): Promise<Ids> {
    const pendingIds = idsBySet.get(set) ?? idsOf(set, seed);
    idsBySet.set(set, pendingIds);
    return pendingIds;
  }

  const loaded = async (set: TrainingSet): Promise<number> => {
    const setIds = await ids(set);
    const counts = resourceTypes.map((type) => store.countExisting(type, setIds[type]));
    return sum(await Promise.all(counts));
  };

  /** All records, and the records that belong to no set. */
  async function countRecords(): Promise<{ total: number; others: number }> {
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
        ...(await countRecords()),
        ward: ward(),
        writer: writer.state(),
      };
    },

    /** Stores the missing records of a set. The busy ward then starts to work. */
    async load(set: TrainingSet, actor: Actor): Promise<DemoLoaded> {
      const finishBulk = store.startBulk();
      const counts = await loadTraining(service, set, { ...toAuthorship(actor), seed }).finally(finishBulk);
      if (set === 'busy') writer.start(writer.state().seconds);
      return counts;
    },

    /** Returns the seeded defects of the migration by record. */
    defects(): TrainingDefect[] {
      return [...recordsOf('migration', seed)].flatMap(({ defect }) => defect ?? []);
    },

    /**
     * Backs up and removes all records.
     *
     * @throws FhirError `business-rule` if more records belong to no set than the caller knows.
     */
    async reset({ others: expectedOthers }: TrainingReset, actor: Actor): Promise<TrainingEmptied> {
      const { total, others: otherRecords } = await countRecords();
      if (otherRecords > expectedOthers) {
        throw new FhirError('business-rule', messages.otherRecords({ n: otherRecords }));
      }
      await writer.stop();
      return { removed: total, backup: await empty(actor) };
    },

    /** @throws FhirError `business-rule` if no record of the ward exists. */
    async startWriter(seconds: number): Promise<WriterState> {
      const wardRecords = resourceTypes.map((type) =>
        store.countExisting(
          type,
          ward().flatMap((wardRecord) => (wardRecord.type === type ? wardRecord.id : [])),
        ),
      );
      if (sum(await Promise.all(wardRecords)) === 0) {
        throw new FhirError('business-rule', messages.wardEmpty());
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

/** Number of records that are generated before other requests run. */
const recordBatchSize = 20;

async function idsOf(set: TrainingSet, seed: number): Promise<Ids> {
  const ids = perType((): string[] => []);
  let recordCount = 0;
  for (const { type, id } of recordsOf(set, seed)) {
    ids[type].push(id);
    recordCount += 1;
    if (recordCount % recordBatchSize === 0) await setImmediate();
  }
  return ids;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
