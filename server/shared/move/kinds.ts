/** All kinds of rows that are moved, in this order. Called by move.ts. */
import { columnsIn } from '../../store/sql.ts';
import { supportingResources } from './companions.ts';
import { createTableMover, type TableMover } from './table-mover.ts';
import { erasures } from './erasures.ts';
import { numbers } from './numbers.ts';
import { plainRows } from './plain-rows.ts';
import { auditEntries } from './audit-log.ts';
import { versions } from './versions.ts';
import { workspaceKinds } from './workspace-rows.ts';

const day = (number: unknown) => new Date(Number(number) * 86_400_000).toISOString().slice(0, 10);

const findingEnds = plainRows({
  name: 'ends of findings',
  table: 'finding_end',
  keys: 4,
  types: columnsIn('ended integer, since integer, rule text, type text, findings integer'),
  nameOf: ([endDay, , rule]) => `issues of ${String(rule)} that ended on ${day(endDay)}`,
});

const measures = plainRows({
  name: 'measures',
  table: 'measure',
  keys: 3,
  types: columnsIn(`day integer, rule text, type text, applied integer, violated integer, skipped integer,
    findings integer`),
  nameOf: ([dayNumber, rule]) => `result of ${String(rule)} on ${day(dayNumber)}`,
});

export const tableMovers: readonly TableMover[] = [
  createTableMover(versions),
  createTableMover(findingEnds),
  createTableMover(measures),
  createTableMover(supportingResources),
  createTableMover(erasures),
  createTableMover(numbers),
  createTableMover(auditEntries),
  ...workspaceKinds.map(createTableMover),
];
