/** What was erased, so that none of it comes back: rows of the workspace in a folder, of the store itself in PostgreSQL. */
import { numbered } from '../store/postgres/connection.ts';
import { pieces } from '../store/pieces.ts';
import type { Value } from '../store/sql.ts';
import type { Kind } from './kind.ts';
import { insertRows, mostRows } from './plain-rows.ts';

const columns = 'type, id, time, who, person, reason';

type Erasure = readonly [type: string, id: string, ...rest: Value[]];

const nextText = `SELECT ${columns} FROM erased WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ${mostRows}`;
const put = `INSERT INTO erased (${columns}, stamp) SELECT w.*, nextval('workspace_stamp')
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[]) w`;
// Its entry in the trail came with the trail, in a transaction of its own.
const trigger = (what: string) => `ALTER TABLE erased ${what} TRIGGER erasure_is_told`;

export const erasures: Kind<Erasure> = {
  name: 'erasures',
  placeOf: ([type, id]) => [type, id],
  nameOf: ([type, id]) => `erasure of ${type}/${id}`,
  told: (row) => row,
  folder: ({ workspace }) => ({
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
  database: (session) => ({
    read: () =>
      pieces<Erasure>(async ([afterType, afterId] = ['', '']) => {
        const rows = await session.rows(numbered({ text: nextText, values: [afterType, afterId] }));
        return rows.map(([type, id, ...rest]) => [String(type), String(id), ...rest]);
      }),
    async write(rows) {
      await session.rows({ text: trigger('DISABLE') });
      await insertRows(session, put, rows);
      await session.rows({ text: trigger('ENABLE') });
    },
    clear: () => session.rows({ text: 'DELETE FROM erased' }),
  }),
};
