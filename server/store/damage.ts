import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import { isSound, textColumns, type VersionName } from './checksum.ts';
import { isOfType } from './sql.ts';
import type { SqliteDatabase, Statement } from './sqlite.ts';

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
  private readonly texts: () => DamageTexts;
  private listener: (name: VersionName) => void = () => undefined;

  constructor(texts: () => DamageTexts) {
    this.texts = texts;
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

  onNoticed(listener: (name: VersionName) => void): void {
    this.listener = listener;
  }

  /** To be called with each text that fails. */
  readonly notice = (name: VersionName): void => {
    this.listener(name);
  };
}

/** The statements of one open database. */
export interface DamageTexts {
  readonly last: Statement<number>;
  readonly behind: Statement<TextRow>;
  readonly state: Readonly<Record<ResourceType, Statement<StateRow>>>;
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
         JOIN version v ON v.record = r.pk AND v.version = ?2 WHERE ${isOfType('r', type)} AND r.id = ?1`,
      ),
    ),
  };
}
