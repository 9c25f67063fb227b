import type { Mutant } from './mutant.ts';

/** What becomes of a record that is erased, and of a disk that is full. */
export const erasureMutants: readonly Mutant[] = [
  {
    mechanism: 'erasure: the logs are cut to nothing',
    file: 'server/erasures/erasures.ts',
    text: '    await place.emptyLog();',
    test: {
      file: 'server/http/erasure-routes.test.ts',
      title:
        'row 94: an erased text stands in no file of the data folder but the backups that the answer lists',
    },
  },
  {
    mechanism: 'erasure: a restore leaves the erased out',
    file: 'server/store/sqlite/sqlite-files.ts',
    text: '        leftOut = eraseRecordsIn(draft, erased, this.given.key);',
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
    mechanism: 'erasure: what is about a companion goes with it',
    file: 'server/store/sqlite/sqlite-companions.ts',
    text: 'const about = idsNaming({ type, id }, urls).flatMap(',
    instead: 'const about = idsNaming({ type, id }, urls).slice(0, 0).flatMap(',
    test: {
      file: 'server/http/companion-routes.test.ts',
      title: 'row 94: an erased patient takes along what is about it, leaves no byte, and does not come back',
    },
  },
  {
    mechanism: 'erasure: an import leaves erased companions out',
    file: 'server/fhir/companions.ts',
    text: "      if (erased.has({ type, id })) throw new FhirError('gone', { text: `This ${type} was erased.` });",
    test: {
      file: 'server/http/companion-routes.test.ts',
      title: 'row 94: an erased patient takes along what is about it, leaves no byte, and does not come back',
    },
  },
  {
    mechanism: 'companions: another server’s address is another resource',
    file: 'server/store/companions.ts',
    text: ' || found?.fullUrl === null ? companionOf(found) : undefined',
    instead: ' || found ? companionOf(found) : undefined',
    test: {
      file: 'server/http/companion-routes.test.ts',
      title: 'the reference %s leads to what it means, or to nothing',
    },
  },
  {
    mechanism: 'full disk: a file is looked at alone, its index in memory',
    file: 'server/store/sqlite/sqlite.ts',
    text: 'if (!refusesIndex(error)) throw error;',
    instead: 'throw error;',
    test: {
      file: 'server/http/disk-full.test.ts',
      title:
        'row 25: a server starts on a full disk, reads, searches and verifies, says so once, and writes once there is room (not run where nothing can be mounted)',
    },
  },
];
