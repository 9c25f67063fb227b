/**
 * All that is moved, in this order, as a table: a kind more is a row more. Called by move.ts.
 */
import { columnsIn } from '../store/sql.ts';
import { companions } from './companions.ts';
import { copyable, type Copyable } from './copyable.ts';
import { erasures } from './erasures.ts';
import { numbers } from './numbers.ts';
import { plainRows } from './plain-rows.ts';
import { trail } from './trail.ts';
import { versions } from './versions.ts';
import { workspaceKinds } from './workspace-rows.ts';

const day = (number: unknown) => new Date(Number(number) * 86_400_000).toISOString().slice(0, 10);

const findingEnds = plainRows({
  ...{ name: 'ends of findings', table: 'finding_end', keys: 4 },
  types: columnsIn('ended integer, since integer, rule text, type text, findings integer'),
  nameOf: ([ended, , rule]) => `findings of ${String(rule)} that ended on ${day(ended)}`,
});

const measures = plainRows({
  ...{ name: 'measures', table: 'measure', keys: 3 },
  types: columnsIn(`day integer, rule text, type text, applied integer, violated integer, skipped integer,
    findings integer`),
  nameOf: ([of, rule]) => `what ${String(rule)} came to on ${day(of)}`,
});

export const kinds: readonly Copyable[] = [
  copyable(versions),
  copyable(findingEnds),
  copyable(measures),
  copyable(companions),
  copyable(erasures),
  copyable(numbers),
  copyable(trail),
  ...workspaceKinds.map(copyable),
];
