import { randomUUID } from 'node:crypto';
import { createService } from '../server/fhir/service.ts';
import { defaultSettings } from '../server/settings.ts';
import type { NewVersion, RecordStore } from '../server/store/store.ts';
import type { DemoRecord } from '../server/demo/generate.ts';

/** Fills one store. */
export interface Filling {
  readonly add: (record: DemoRecord) => Promise<unknown>;
  /** Commits the added records. */
  readonly commit: () => Promise<void>;
  /** Ends the fill after the last commit. */
  readonly close: () => Promise<void>;
}

/**
 * Returns a function that passes records through the service, as an import does, to `insert`, with their
 * derived rows.
 */
export function createImporter(
  insert: (version: NewVersion) => 'stored' | 'exists',
  clock: () => number,
): Filling['add'] {
  const { validation: level, requireIfMatch } = defaultSettings;
  const store = createInsertOnlyStore(insert);
  const service = createService({ store, clock, newId: randomUUID, level, requireIfMatch });
  const request = { author: 'bench', keepIds: true };
  return ({ type, text }) => service.importRecord({ ...request, type, text });
}

/** Returns a store that only inserts. An import of new records needs nothing else. */
function createInsertOnlyStore(insert: (version: NewVersion) => 'stored' | 'exists'): RecordStore {
  const methods: Pick<RecordStore, 'insert' | 'readFirstVersion'> = {
    insert: (version) => Promise.resolve(insert(version)),
    readFirstVersion: () => Promise.resolve(1),
  };
  return new Proxy(methods as RecordStore, {
    get(target, name) {
      if (name in methods) return Reflect.get(target, name) as unknown;
      return () => Promise.reject(new Error(`The fill inserts only; ${String(name)} was called.`));
    },
  });
}
