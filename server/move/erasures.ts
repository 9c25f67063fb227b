/** What was erased, so that none of it comes back: rows of the workspace in a folder, of the store itself in PostgreSQL. */
import { numbered } from '../store/postgres/connection.ts';
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
    async *read() {
      for (let last: readonly string[] = ['', '']; ;) {
        const found = await session.rows(numbered({ text: nextText, values: last }));
        const rows = found.map(([type, id, ...rest]): Erasure => [String(type), String(id), ...rest]);
        const end = rows.at(-1);
        if (!end) return;
        yield rows;
        last = end.slice(0, 2).map(String);
      }
    },
    async write(rows) {
      await session.rows({ text: trigger('DISABLE'), values: [] });
      await insertRows(session, put, rows);
      await session.rows({ text: trigger('ENABLE'), values: [] });
    },
    clear: () => session.rows({ text: 'DELETE FROM erased', values: [] }),
  }),
};
