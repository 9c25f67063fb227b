/** Writes of import batches in SQLite, in the tables `batch` and `batch_line`. */
import { isResourceType, perType } from '../../../core/fhir/resource.ts';
import { prepare, preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { NewBatch, NewLine, StoredLine, UndoneBatch } from '../import-batches.ts';
import { isOfType } from '../sql.ts';
import type { NewVersion } from '../store.ts';
import type {
  ResourceIdentity,
  SupportingResourceChange,
  SupportingResourceRow,
} from '../supporting-resources.ts';

export type BatchStatements = ReturnType<typeof prepareBatches>;

/** Text of a supporting resource that a batch replaced. */
interface FormerResource {
  readonly batch: string;
  readonly fullUrl: string | null;
  readonly sha256: Buffer;
  readonly body: string;
}

/** Prepares the writes of batches. The caller opens the transaction. */
export function prepareBatches(database: SqliteDatabase) {
  const begin = prepare(
    database,
    `INSERT INTO batch (id, name, form, time, who, person, state) VALUES (?, ?, ?, ?, ?, ?, 'stopped')
     ON CONFLICT (id) DO UPDATE SET state = 'stopped', ended = NULL, counts = NULL`,
  );
  const end = prepare(
    database,
    "UPDATE batch SET state = 'done', ended = ?, counts = ? WHERE id = ? AND state <> 'undone'",
  );
  const setUndone = prepare(
    database,
    `UPDATE batch SET state = 'undone', undone = ?, undone_by = ?, undone_person = ?, undone_reason = ? WHERE id = ?`,
  );
  const addLine = prepare(
    database,
    `INSERT INTO batch_line (batch, result, record, type, id, source, address, content, detail)
     SELECT b.pk, ?, ?, ?, ?, ?, ?, ?, ? FROM batch b WHERE b.id = ?`,
  );
  const findRecord = perType((type) =>
    preparePluck<number>(database, `SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?`),
  );
  const addVersion = prepare(
    database,
    `INSERT INTO batch_line (batch, result, record, version, previous, address, content, detail)
     SELECT b.pk, 'stored', ?, ?, ?, ?, ?, ? FROM batch b WHERE b.id = ?`,
  );
  const addResource = prepare(
    database,
    `INSERT INTO batch_line (batch, result, type, id, source, former_batch, former_url, former_sha256, former_body, detail)
     SELECT b.pk, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM batch b WHERE b.id = ?`,
  );
  const findFormer = prepare<FormerResource>(
    database,
    `SELECT former_batch AS batch, former_url AS fullUrl, former_sha256 AS sha256, former_body AS body
     FROM batch_line WHERE pk = ? AND former_body IS NOT NULL`,
  );
  const setFormer = (condition: string) =>
    prepare(
      database,
      `UPDATE batch_line SET former_batch = ?, former_url = ?, former_sha256 = ?, former_body = ? WHERE ${condition}`,
    );
  const setFormerOfLine = setFormer('pk = ?');
  const setFormerOfBatch = setFormer('type = ? AND id = ? AND source = ? AND former_batch = ?');
  return {
    /** Takes the text that a resource had before its line. */
    takeFormer(position: number): FormerResource | undefined {
      const former = findFormer.get(position);
      setFormerOfLine.run(null, null, null, null, position);
      return former;
    },
    /** Gives the line of the batch that replaced a resource of a batch the text from before both. */
    passFormer(
      batch: string,
      { type, id, source }: ResourceIdentity,
      former: FormerResource | undefined,
    ): void {
      const cells = former
        ? [former.batch, former.fullUrl, former.sha256, former.body]
        : [null, null, null, null];
      setFormerOfBatch.run(...cells, type, id, source, batch);
    },
    begin(batch: NewBatch): void {
      const { id, name, form, now, author, person = null } = batch;
      begin.run(id, name, form, now, author, person);
    },
    end: (id: string, now: number, counts: object): void => void end.run(now, JSON.stringify(counts), id),
    setUndone(id: string, undone: UndoneBatch): void {
      const { now, who, person = null, reason = null } = undone;
      setUndone.run(now, who, person, reason, id);
    },
    addLine(id: string, line: NewLine): void {
      const { result, name, address = null, content = null, detail } = line;
      const { type = '', id: resourceId = '' } = name ?? {};
      const cells = isResourceType(type)
        ? [findRecord[type].get(resourceId) ?? null, null, null, null]
        : [null, ...(name ? [type, resourceId, ''] : [null, null, null])];
      addLine.run(result, ...cells, address, content, detail, id);
    },
    /** Adds the line of a version that is written in this transaction. */
    addVersion(record: number, { version, batchLine }: NewVersion, previous: number | undefined): void {
      if (!batchLine) return;
      const { batch, address = null, content = null, detail } = batchLine;
      addVersion.run(record, version, previous ?? null, address, content, detail, batch);
    },
    /** Adds the line of a supporting resource, with the row that it replaced. */
    addResource(
      result: SupportingResourceChange,
      { type, id, source }: ResourceIdentity,
      { batch, detail }: StoredLine,
      former: SupportingResourceRow | undefined,
    ): void {
      const formerCells = former
        ? [former.batch, former.fullUrl, Buffer.from(String(former.sha256), 'hex'), String(former.body)]
        : [null, null, null, null];
      addResource.run(result, type, id, source, ...formerCells, detail, batch);
    },
  };
}
