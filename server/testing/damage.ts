/** Changes single bits of stored texts in a file that no server has open. */
import { Random } from '../demo/random.ts';
import { connect } from '../sqlite/sqlite.ts';

export interface Flip {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  /** Index of the changed bit in the text. */
  readonly bit: number;
}

export interface DamageOptions {
  /** Number of versions to damage, each once. */
  readonly count: number;
  readonly seed: number;
  /** Limits the damage to this record. */
  readonly id?: string;
}

interface Row {
  readonly pk: number;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly body: Buffer;
}

/** Flips one bit in each of `count` random texts; in fewer if the file has fewer. */
export function damageBodies(path: string, { count, seed, id }: DamageOptions): Flip[] {
  const database = connect(path);
  try {
    const rows = database
      .prepare<unknown[], Row>('SELECT pk, type, id, version, CAST(body AS BLOB) AS body FROM version')
      .all()
      .filter((row) => id === undefined || row.id === id);
    const random = new Random(seed, 0, 0x600);
    const versions = random.pickSome(rows, count);
    const set = database.prepare('UPDATE version SET body = CAST(? AS TEXT) WHERE pk = ?');
    return versions.map(({ pk, body, ...row }) => {
      const bit = random.integerBetween(0, body.length * 8 - 1);
      body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      set.run(body, pk);
      return { ...row, bit };
    });
  } finally {
    database.close();
  }
}
