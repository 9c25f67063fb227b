/** Changes single bits of stored texts behind the server's back, in a file that no server holds. */
import { Random } from '../demo/random.ts';
import { connect } from '../store/sqlite/sqlite.ts';

export interface Flip {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** Number of the changed bit, from the text's first. */
  readonly bit: number;
}

export interface DamageOptions {
  /** How many versions are damaged, each once. */
  readonly count: number;
  readonly seed: number;
  /** Damages this record alone. */
  readonly id?: string;
}

interface Row {
  readonly pk: number;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly body: Buffer;
}

/** Flips one bit in each of `count` texts, which a seeded generator chooses; fewer where there are not as many. */
export function damageBodies(path: string, { count, seed, id }: DamageOptions): Flip[] {
  const database = connect(path);
  try {
    const rows = database
      .prepare<unknown[], Row>('SELECT pk, type, id, version, CAST(body AS BLOB) AS body FROM version')
      .all()
      .filter((row) => id === undefined || row.id === id);
    const random = new Random(seed, 0, 0x600);
    const chosen = random.some(rows, count);
    const set = database.prepare('UPDATE version SET body = CAST(? AS TEXT) WHERE pk = ?');
    return chosen.map(({ pk, body, ...row }) => {
      const bit = random.between(0, body.length * 8 - 1);
      body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      set.run(body, pk);
      return { ...row, bit };
    });
  } finally {
    database.close();
  }
}
