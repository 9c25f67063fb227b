import type { SharedArchives } from '../shared-archives.ts';
import type { Postgres } from './connection.ts';
import { channels, type Signals } from './signals.ts';

const addSql = `INSERT INTO package (file, name, version, sha256) VALUES ($1, lower($2), $3, decode($4, 'hex'))
  ON CONFLICT DO NOTHING RETURNING file`;
const partSql = 'INSERT INTO package_part (file, place, body) VALUES ($1, $2::integer, $3)';
const readSql = 'SELECT body FROM package_part WHERE file = $1 AND place = $2::integer';
const notifySql = `SELECT pg_notify('${channels.packages}', '')`;

export function postgresArchives(database: Postgres, signals: Pick<Signals, 'on'>): SharedArchives {
  return {
    async list() {
      const text = "SELECT file, encode(sha256, 'hex') FROM package ORDER BY file";
      const rows = await database.rows({ text });
      return new Map(rows.map(([file, sha256]) => [String(file), String(sha256)]));
    },

    async *read(file) {
      for (let partIndex = 0; ; partIndex += 1) {
        const [[body] = []] = await database.rows({ text: readSql, values: [file, partIndex] });
        if (!Buffer.isBuffer(body)) return;
        yield body;
      }
    },

    async add({ file, name, version, sha256 }, pieces) {
      return database.transaction(async (session) => {
        const insertedRows = await session.rows({ text: addSql, values: [file, name, version, sha256] });
        if (insertedRows.length === 0) return false;
        let partIndex = 0;
        for await (const body of pieces) {
          await session.rows({ text: partSql, values: [file, partIndex, body] });
          partIndex += 1;
        }
        await session.rows({ text: notifySql });
        return true;
      });
    },

    async remove(file) {
      await database.transaction(async (session) => {
        await session.rows({ text: 'DELETE FROM package WHERE file = $1', values: [file] });
        await session.rows({ text: notifySql });
      });
    },

    onChange: (listener) => signals.on('packages', listener),
  };
}
