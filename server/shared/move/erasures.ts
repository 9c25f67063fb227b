/**
 * List of erasures, so that none of the records returns: rows of the workspace in a folder, of the store in
 * PostgreSQL.
 */
import { numbered } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import type { Value } from '../../store/sql.ts';
import type { MovedTable } from './kind.ts';
import { insertRows, maxRows } from './plain-rows.ts';

const columns = 'type, id, time, who, person, reason';

type Erasure = readonly [type: string, id: string, ...rest: Value[]];

const nextSql = `SELECT ${columns} FROM erased WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ${maxRows}`;
const insertErasuresSql = `INSERT INTO erased (${columns}, stamp) SELECT w.*, nextval('workspace_stamp')
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[]) w`;
// The audit entries were moved before, in another transaction.
const triggerSql = (mode: string) => `ALTER TABLE erased ${mode} TRIGGER erasure_is_told`;

export const erasures: MovedTable<Erasure> = {
  name: 'erasures',
  keyOf: ([type, id]) => [type, id],
  nameOf: ([type, id]) => `erasure of ${type}/${id}`,
  listCells: (row) => row,
  openInFolder: ({ workspace }) => ({
    *read() {
      const text = `SELECT ${columns} FROM erasure ORDER BY type, id`;
      const rows = workspace.prepare<unknown[], Erasure>(text).raw().all();
      if (rows.length > 0) yield rows;
    },
    write(rows) {
      const add = workspace.prepare(`INSERT INTO erasure (${columns}) VALUES (?, ?, ?, ?, ?, ?)`);
      for (const row of rows) add.run(...row);
    },
    clear: () => void workspace.exec('DELETE FROM erasure'),
  }),
  openInDatabase: (session) => ({
    read: () =>
      readInChunks<Erasure>(async ([afterType, afterId] = ['', '']) => {
        const rows = await session.rows(numbered({ text: nextSql, values: [afterType, afterId] }));
        return rows.map(([type, id, ...remainingCells]) => [String(type), String(id), ...remainingCells]);
      }),
    async write(rows) {
      await session.rows({ text: triggerSql('DISABLE') });
      await insertRows(session, insertErasuresSql, rows);
      await session.rows({ text: triggerSql('ENABLE') });
    },
    clear: () => session.rows({ text: 'DELETE FROM erased' }),
  }),
};
