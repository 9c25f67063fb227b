import { randomUUID } from 'node:crypto';
import { createService } from '../server/fhir/service.ts';
import { defaultSettings } from '../server/settings.ts';
import type { NewVersion, RecordStore } from '../server/store/store.ts';
import type { DemoRecord } from '../server/demo/generate.ts';

/** What fills one store. */
export interface Filling {
  readonly add: (record: DemoRecord) => Promise<unknown>;
  /** Commits what was added. */
  readonly commit: () => Promise<void>;
  /** Ends the fill, behind the last commit. */
  readonly close: () => Promise<void>;
}

/** Brings records through the service, as an import does, to `insert`, with the rows that describe each. */
export function throughService(
  insert: (version: NewVersion) => 'stored' | 'exists',
  clock: () => number,
): Filling['add'] {
  const { validation: level, requireIfMatch } = defaultSettings;
  const store = writeOnly(insert);
  const service = createService({ store, clock, newId: randomUUID, level, requireIfMatch });
  const request = { author: 'bench', keepIds: true };
  return ({ type, text }) => service.importRecord({ ...request, type, text });
}

/** A store that inserts; an import of new records asks for nothing else. */
function writeOnly(insert: (version: NewVersion) => 'stored' | 'exists'): RecordStore {
  const known: Pick<RecordStore, 'insert' | 'firstNumber'> = {
    insert: (version) => Promise.resolve(insert(version)),
    firstNumber: () => Promise.resolve(1),
  };
  return new Proxy(known as RecordStore, {
    get(target, name) {
      if (name in known) return Reflect.get(target, name) as unknown;
      return () => Promise.reject(new Error(`The fill inserts only; ${String(name)} was called.`));
    },
  });
}
