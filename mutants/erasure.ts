import type { Mutant } from './mutant.ts';

/** What becomes of a record that is erased, and of a disk that is full. */
export const erasureMutants: readonly Mutant[] = [
  {
    mechanism: 'erasure: the logs are cut to nothing',
    file: 'server/erasures/erasures.ts',
    text: '    await store.emptyLog();',
    test: {
      file: 'server/http/erasure-routes.test.ts',
      title:
        'row 94: an erased text stands in no file of the data folder but the backups that the answer lists',
    },
  },
  {
    mechanism: 'erasure: a restore leaves the erased out',
    file: 'server/store/sqlite-store.ts',
    text: '        leftOut = eraseRecordsIn(draft, erased, this.key);',
    test: {
      file: 'server/http/erasure-routes.test.ts',
      title: 'row 94: a restore of a backup from before leaves the erased out, and says so',
    },
  },
  {
    mechanism: 'erasure: an import leaves the erased out',
    file: 'server/fhir/service.ts',
    text: '      if (erased.has({ type, id })) throw erasedRecord(type);',
    test: {
      file: 'server/http/erasure-routes.test.ts',
      title: 'row 94: an import that keeps ids leaves the erased out, and says so',
    },
  },
  {
    mechanism: 'full disk: a file is looked at alone, its index in memory',
    file: 'server/store/sqlite.ts',
    text: 'if (!refusesIndex(error)) throw error;',
    instead: 'throw error;',
    test: {
      file: 'server/http/disk-full.test.ts',
      title:
        'row 25: a server starts on a full disk, reads, searches and verifies, says so once, and writes once there is room (not run where nothing can be mounted)',
    },
  },
];
