import type { Mutant } from './mutant.ts';

/** What becomes of a record whose text is damaged. */
export const damageMutants: readonly Mutant[] = [
  {
    mechanism: 'a damaged text costs its record alone: searches',
    file: 'server/store/sqlite/page-bodies.ts',
    text: 'return Buffer.isBuffer(content) ? { ...facts, bytes: content } : { ...facts, fault: content };',
    instead: 'if (!Buffer.isBuffer(content)) throw content; return { ...facts, bytes: content };',
    test: {
      file: 'server/conformance/rows-damage.test.ts',
      title: 'row 89: a search (%s) answers an outcome in its place, counted in total',
    },
  },
  {
    mechanism: 'a damaged text is mended with the rows that the new one gives',
    file: 'server/store/sqlite/index-backlog.ts',
    text: 'this.rows.mend(record, { index, issues: [] }, indexAlone)',
    instead: 'void record',
    test: {
      file: 'server/conformance/rows-damage.test.ts',
      title: 'row 89: an update with the whole record mends it, whatever described it before',
    },
  },
  {
    mechanism: 'all texts are read once a day',
    file: 'server/damage/scrub.ts',
    text: 'else if (ended === undefined || clock() - ended.time >= day) begin();',
    test: {
      file: 'server/http/damage-routes.test.ts',
      title: 'item 21: all texts are read once a day, or when asked; what was found is told',
    },
  },
  {
    mechanism: 'what waits to be indexed is made before a search',
    file: 'server/store/sqlite/index-backlog.ts',
    text: 'commit(() => this.settle());',
    test: {
      file: 'server/store/sqlite/index-backlog.test.ts',
      title: 'a record that was just written is found, and under its last values alone',
    },
  },
  {
    mechanism: 'what waited when the process was killed is indexed at the next start',
    file: 'server/store/sqlite/index-backlog.ts',
    text: 'this.lost = this.statements.behind.get() !== undefined;',
    instead: 'this.lost = false;',
    test: {
      file: 'server/store/sqlite/index-backlog.test.ts',
      title:
        'rows that waited when the process was killed are made at the next start, and verify knows that they wait',
    },
  },
];
