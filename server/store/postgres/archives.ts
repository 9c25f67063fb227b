import type { NewArchive, SharedArchives } from '../shared-archives.ts';
import type { Postgres } from './connection.ts';
import { channels, type Signals } from './signals.ts';

const addText = `INSERT INTO package (file, name, version, sha256) VALUES ($1, lower($2), $3, decode($4, 'hex'))
  ON CONFLICT DO NOTHING RETURNING file`;
const partText = 'INSERT INTO package_part (file, place, body) VALUES ($1, $2::integer, $3)';
const readText = 'SELECT body FROM package_part WHERE file = $1 AND place = $2::integer';
const tellText = `SELECT pg_notify('${channels.packages}', '')`;

export class PostgresArchives implements SharedArchives {
  private readonly database: Postgres;
  private readonly signals: Pick<Signals, 'on'>;

  constructor(database: Postgres, signals: Pick<Signals, 'on'>) {
    this.database = database;
    this.signals = signals;
  }

  async list(): Promise<ReadonlyMap<string, string>> {
    const text = "SELECT file, encode(sha256, 'hex') FROM package ORDER BY file";
    const rows = await this.database.rows({ text, values: [] });
    return new Map(rows.map(([file, sha256]) => [String(file), String(sha256)]));
  }

  async *read(file: string): AsyncGenerator<Uint8Array> {
    for (let place = 0; ; place += 1) {
      const [[body] = []] = await this.database.rows({ text: readText, values: [file, place] });
      if (!Buffer.isBuffer(body)) return;
      yield body;
    }
  }

  async add({ file, name, version, sha256 }: NewArchive, pieces: AsyncIterable<Buffer>): Promise<boolean> {
    return this.database.transaction(async (session) => {
      const made = await session.rows({ text: addText, values: [file, name, version, sha256] });
      if (made.length === 0) return false;
      let place = 0;
      for await (const body of pieces) {
        await session.rows({ text: partText, values: [file, place, body] });
        place += 1;
      }
      await session.rows({ text: tellText, values: [] });
      return true;
    });
  }

  async remove(file: string): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.rows({ text: 'DELETE FROM package WHERE file = $1', values: [file] });
      await session.rows({ text: tellText, values: [] });
    });
  }

  onChange(told: () => void): void {
    this.signals.on('packages', told);
  }
}
