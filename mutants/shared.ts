import type { Mutant } from './mutant.ts';

const eraseTest = 'server/store/postgres/erase.test.ts';

/** What servers over one store hold up between them. */
export const sharedMutants: readonly Mutant[] = [
  {
    mechanism: 'shared store: the finder meets a writer that commits late',
    file: 'server/find/store-source.ts',
    text: "seen.split(':', 1)[0]",
    instead: "seen.split(':')[1]",
    test: {
      file: 'server/find/store-source.test.ts',
      title: 'a writer that commits behind a faster one is found, whichever number it took',
    },
  },
  {
    mechanism: 'shared store: a finder’s index is of these records, or made anew',
    file: 'server/find/store-source.ts',
    text: "if (!fits) throw new UnfitError('The index is of other records.');",
    test: {
      file: 'server/find/store-source.test.ts',
      title: 'an index of records that were put back to a time before is made anew',
    },
  },
  {
    mechanism: 'shared store: an erasure has its entry in the trail',
    file: 'server/store/postgres/schema/erasures.ts',
    text: 'a.xmin = pg_current_xact_id()::xid AND ',
    test: {
      file: eraseTest,
      title: 'is refused at the commit where its entry is not in the trail, and changes nothing then',
    },
  },
  {
    mechanism: 'shared store: what was erased is refused behind the insert',
    file: 'server/store/postgres/schema/erasures.ts',
    text: 'IF EXISTS (SELECT 1 FROM chartkeeper.erased e',
    instead: 'IF false AND EXISTS (SELECT 1 FROM chartkeeper.erased e',
    test: {
      file: eraseTest,
      title: 'that is not committed yet has a server wait that stores the same name, and refuses it then',
    },
  },
  {
    mechanism: 'shared store: nothing is said of a finding whose record is being erased',
    file: 'server/store/postgres/findings.ts',
    text: ' FOR KEY SHARE OF r',
    test: {
      file: eraseTest,
      title:
        'that is not committed yet has a server wait that says something of a finding, and leaves nothing of it',
    },
  },
  {
    mechanism: 'shared store: at its start a server forgets what others erased meanwhile',
    file: 'server/start-shared.ts',
    text: '    await erasures.settle();',
    test: {
      file: 'server/erasures/shared-place.test.ts',
      title:
        'is one at the others, whose folders have nothing of the record, as has one that was down meanwhile',
    },
  },
  {
    mechanism: 'shared store: one server reads all texts at a time',
    file: 'server/store/postgres/damage.ts',
    text: 'if (taken) await work();',
    instead: 'await work();',
    test: {
      file: 'server/damage/shared-damage.test.ts',
      title:
        'is found by the server that reads all texts, which one does at a time; both know what came of it',
    },
  },
];
