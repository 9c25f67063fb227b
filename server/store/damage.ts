import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import { checksumOf, isSound, quickSumOf, textColumns, type VersionName } from './checksum.ts';
import { isOfType } from './sql.ts';
import type { SqliteDatabase, Statement } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

/** What reading texts against their checksums came to. */
export interface Looked {
  /** The last version looked at; those behind it are next. */
  readonly place: number;
  readonly read: number;
  readonly found: number;
  /** Whether none was left. */
  readonly ended: boolean;
}

/** Which stored texts are not those that were written. */
export interface DamageStore {
  /** The place of the newest version; 0 where there is none. */
  lastPlace(): number;
  /** Reads the texts behind a place, one at least, until so many milliseconds are over; tells the listener of those that fail. */
  look(place: number, milliseconds: number): Looked;
  /** What became of a version whose text failed: damaged still and current, damaged still, or undefined for neither. */
  stateOf(name: VersionName): 'current' | 'older' | undefined;
  /** Puts a version's text back where it is the one that was written, by its SHA-256; answers whether it is. */
  putBack(name: VersionName, text: string): Promise<boolean>;
  /** Calls with each text that fails, whoever reads it, each time. */
  onNoticed(listener: (name: VersionName) => void): void;
}

type TextRow = readonly [
  ...[pk: number, type: ResourceType, id: string, version: number],
  ...[body: unknown, sha256: unknown],
];

interface StateRow {
  readonly body: unknown;
  readonly sha256: unknown;
  readonly isCurrent: number;
}

export class SqliteDamage implements DamageStore {
  private readonly parts: () => DamageParts;
  private listener: (name: VersionName) => void = () => undefined;

  constructor(parts: () => DamageParts) {
    this.parts = parts;
  }

  private texts(): DamageTexts {
    return this.parts().texts;
  }

  lastPlace(): number {
    return this.texts().last.get() ?? 0;
  }

  look(after: number, milliseconds: number): Looked {
    const end = performance.now() + milliseconds;
    let [place, read, found] = [after, 0, 0];
    for (const [pk, type, id, version, body, sha256] of this.texts().behind.iterate(after)) {
      place = pk;
      read += 1;
      if (!isSound(body, sha256)) {
        found += 1;
        this.listener({ type, id, version });
      }
      if (performance.now() > end) return { place, read, found, ended: false };
    }
    return { place, read, found, ended: true };
  }

  stateOf({ type, id, version }: VersionName): 'current' | 'older' | undefined {
    const row = this.texts().state[type].get(id, version);
    if (!row || isSound(row.body, row.sha256)) return undefined;
    return row.isCurrent === 1 ? 'current' : 'older';
  }

  async putBack({ type, id, version }: VersionName, text: string): Promise<boolean> {
    const { texts, writes } = this.parts();
    const sums = [quickSumOf(text), checksumOf(text)];
    const { changes } = await writes.add(() => texts.putBack[type].run(text, ...sums, version, id));
    return changes > 0;
  }

  onNoticed(listener: (name: VersionName) => void): void {
    this.listener = listener;
  }

  /** To be called with each text that fails. */
  readonly notice = (name: VersionName): void => {
    this.listener(name);
  };
}

/** What stands on the database as it is open now. */
interface DamageParts {
  readonly texts: DamageTexts;
  readonly writes: WriteQueue;
}

/** The statements of one open database. */
export interface DamageTexts {
  readonly last: Statement<number>;
  readonly behind: Statement<TextRow>;
  readonly state: Readonly<Record<ResourceType, Statement<StateRow>>>;
  readonly putBack: Readonly<Record<ResourceType, Statement<unknown>>>;
}

export function damageTexts(database: SqliteDatabase): DamageTexts {
  return {
    last: database.prepare<unknown[], number>('SELECT max(pk) FROM version').pluck(),
    behind: database
      .prepare<unknown[], TextRow>(
        `SELECT pk, type, id, version, ${textColumns()} FROM version WHERE pk > ? ORDER BY pk`,
      )
      .raw(),
    state: perType((type) =>
      database.prepare<unknown[], StateRow>(
        `SELECT ${textColumns('v')}, r.current = v.pk AS isCurrent FROM record r
         JOIN version v ON v.record = r.pk WHERE ${isOfType('r', type)} AND r.id = ? AND v.version = ?`,
      ),
    ),
    putBack: perType((type) =>
      database.prepare(
        `UPDATE version SET body = ?, crc32 = ? WHERE sha256 = ? AND version = ?
         AND record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`,
      ),
    ),
  };
}
