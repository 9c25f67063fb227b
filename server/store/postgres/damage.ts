import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { VersionName } from '../checksum.ts';
import { lookThrough, type DamageOf, type DamageStore, type Looked, type ReadText } from '../damage.ts';
import type { OrDamaged, VersionFacts } from '../store.ts';
import type { Postgres } from './connection.ts';
import { locks } from './locks.ts';
import { listsOf } from './version-rows.ts';

/** Texts that are read at once, as far as they come to so many bytes. */
const piece = { texts: 200, bytes: 1024 * 1024 };

/** The database sums texts up itself, so that none has to leave it. */
const isSound = "sha256(convert_to(v.body, 'UTF8')) = v.sha256";

const lookText = `SELECT v.pk, v.type, v.id, v.version, ${isSound} FROM (
    SELECT p.*, row_number() OVER w AS at, sum(octet_length(p.body)) OVER w AS through
    FROM (SELECT pk, type, id, version, body, sha256 FROM version WHERE pk > $1::bigint ORDER BY pk LIMIT ${piece.texts}) p
    WINDOW w AS (ORDER BY p.pk)) v
  WHERE v.at = 1 OR v.through <= ${piece.bytes} ORDER BY v.pk`;

const stateText = `SELECT CASE WHEN NOT ${isSound} THEN CASE WHEN r.current = v.pk THEN 'current' ELSE 'older' END END
  FROM unnest($1::text[], $2::text[], $3::integer[]) WITH ORDINALITY w(type, id, version, at)
  LEFT JOIN record r ON r.type = w.type AND r.id = w.id
  LEFT JOIN version v ON v.record = r.pk AND v.version = w.version ORDER BY w.at`;

export class PostgresDamage implements DamageStore {
  private readonly database: Postgres;
  private listener: (name: VersionName) => void = () => undefined;

  constructor(database: Postgres) {
    this.database = database;
  }

  async lastPlace(): Promise<number> {
    const text = 'SELECT coalesce(max(pk), 0) FROM version';
    const [[last] = []] = await this.database.rows({ text });
    return Number(last);
  }

  /** A piece is read whole: what takes its time is the database. */
  async look(after: number): Promise<Looked> {
    const rows = await this.database.rows({ text: lookText, values: [after] });
    const texts = rows.map(([pk, type, id, version, sound]): ReadText => [
      Number(pk),
      { type: String(type) as ResourceType, id: String(id), version: Number(version) },
      Boolean(sound),
    ]);
    return { ...lookThrough(texts, after, Infinity, this.notice), ended: texts.length === 0 };
  }

  async statesOf(names: readonly VersionName[]): Promise<readonly DamageOf[]> {
    const values = listsOf(
      names.map(({ type, id, version }) => [type, id, version]),
      3,
    );
    const rows = await this.database.rows({ text: stateText, values });
    return rows.map(([state]) => (state ?? undefined) as DamageOf);
  }

  onNoticed(listener: (name: VersionName) => void): void {
    this.listener = listener;
  }

  /** With its session the lock is free for the next. */
  async alone(work: () => Promise<void>): Promise<void> {
    const { session, release } = await this.database.hold(() => undefined);
    try {
      const text = 'SELECT pg_try_advisory_lock($1::bigint)';
      const [[taken] = []] = await session.rows({ text, values: [locks.scrub] });
      if (taken) await work();
    } finally {
      release();
    }
  }

  /** To be called with each text that fails. */
  readonly notice = (name: VersionName): void => {
    this.listener(name);
  };

  /** Passes versions of a type on as they were read, and notices those that are damaged. */
  seen<Versions extends Iterable<OrDamaged<VersionFacts>>>(type: ResourceType, versions: Versions): Versions {
    for (const found of versions) {
      const { id, version } = found;
      if ('fault' in found) this.notice({ type, id, version });
    }
    return versions;
  }

  /** The same of one. */
  seenOne<Version extends OrDamaged<VersionFacts>>(type: ResourceType, found: Version): Version {
    this.seen(type, [found]);
    return found;
  }
}
