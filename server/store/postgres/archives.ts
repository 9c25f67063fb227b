import type { SharedArchives } from '../shared-archives.ts';
import type { Postgres } from './connection.ts';
import { channels, type Signals } from './signals.ts';

const addText = `INSERT INTO package (file, name, version, sha256) VALUES ($1, lower($2), $3, decode($4, 'hex'))
  ON CONFLICT DO NOTHING RETURNING file`;
const partText = 'INSERT INTO package_part (file, place, body) VALUES ($1, $2::integer, $3)';
const readText = 'SELECT body FROM package_part WHERE file = $1 AND place = $2::integer';
const tellText = `SELECT pg_notify('${channels.packages}', '')`;

export function postgresArchives(database: Postgres, signals: Pick<Signals, 'on'>): SharedArchives {
  return {
    async list() {
      const text = "SELECT file, encode(sha256, 'hex') FROM package ORDER BY file";
      const rows = await database.rows({ text });
      return new Map(rows.map(([file, sha256]) => [String(file), String(sha256)]));
    },

    async *read(file) {
      for (let place = 0; ; place += 1) {
        const [[body] = []] = await database.rows({ text: readText, values: [file, place] });
        if (!Buffer.isBuffer(body)) return;
        yield body;
      }
    },

    async add({ file, name, version, sha256 }, pieces) {
      return database.transaction(async (session) => {
        const made = await session.rows({ text: addText, values: [file, name, version, sha256] });
        if (made.length === 0) return false;
        let place = 0;
        for await (const body of pieces) {
          await session.rows({ text: partText, values: [file, place, body] });
          place += 1;
        }
        await session.rows({ text: tellText });
        return true;
      });
    },

    async remove(file) {
      await database.transaction(async (session) => {
        await session.rows({ text: 'DELETE FROM package WHERE file = $1', values: [file] });
        await session.rows({ text: tellText });
      });
    },

    onChange: (told) => signals.on('packages', told),
  };
}
