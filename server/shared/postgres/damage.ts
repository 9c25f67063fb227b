import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { VersionName } from '../../store/checksum.ts';
import {
  verifyTexts,
  type DamageOf,
  type DamageStore,
  type Looked,
  type ReadText,
} from '../../store/damage.ts';
import type { OrDamaged, VersionMetadata } from '../../store/store.ts';
import type { Postgres } from './connection.ts';
import { toColumns } from './version-rows.ts';

/** Limits of one batch: texts and their bytes. */
const maxBatch = { texts: 200, bytes: 1024 * 1024 };

/** The database computes the checksums, so that no text leaves it. */
const isIntactSql = "sha256(convert_to(v.body, 'UTF8')) = v.sha256";

const lookSql = `SELECT v.pk, v.type, v.id, v.version, ${isIntactSql} FROM (
    SELECT p.*, row_number() OVER w AS at, sum(octet_length(p.body)) OVER w AS through
    FROM (SELECT pk, type, id, version, body, sha256 FROM version WHERE pk > $1::bigint ORDER BY pk LIMIT ${maxBatch.texts}) p
    WINDOW w AS (ORDER BY p.pk)) v
  WHERE v.at = 1 OR v.through <= ${maxBatch.bytes} ORDER BY v.pk`;

const stateSql = `SELECT CASE WHEN NOT ${isIntactSql} THEN CASE WHEN r.current = v.pk THEN 'current' ELSE 'older' END END
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
    const [[lastPk] = []] = await this.database.rows({ text });
    return Number(lastPk);
  }

  /** Reads one batch with one query. The database does the work. */
  async look(after: number): Promise<Looked> {
    const rows = await this.database.rows({ text: lookSql, values: [after] });
    const texts = rows.map(([pk, type, id, version, isIntactText]): ReadText => [
      Number(pk),
      { type: String(type) as ResourceType, id: String(id), version: Number(version) },
      Boolean(isIntactText),
    ]);
    return { ...verifyTexts(texts, after, Infinity, this.notice), isFinished: texts.length === 0 };
  }

  async statesOf(names: readonly VersionName[]): Promise<readonly DamageOf[]> {
    const values = toColumns(
      names.map(({ type, id, version }) => [type, id, version]),
      3,
    );
    const rows = await this.database.rows({ text: stateSql, values });
    return rows.map(([state]) => (state ?? undefined) as DamageOf);
  }

  onNoticed(listener: (name: VersionName) => void): void {
    this.listener = listener;
  }

  /** Reports a text that fails its checksum. */
  readonly notice = (name: VersionName): void => {
    this.listener(name);
  };

  reportDamaged<Versions extends Iterable<OrDamaged<VersionMetadata>>>(
    type: ResourceType,
    versions: Versions,
  ): Versions {
    for (const storedVersion of versions) {
      const { id, version } = storedVersion;
      if ('fault' in storedVersion) this.notice({ type, id, version });
    }
    return versions;
  }

  /** Reports the version if it is damaged, and returns it. */
  reportIfDamaged<Version extends OrDamaged<VersionMetadata>>(
    type: ResourceType,
    storedVersion: Version,
  ): Version {
    this.reportDamaged(type, [storedVersion]);
    return storedVersion;
  }
}
