/** Import batches in PostgreSQL, in the tables `batch` and `batch_line`. */
import { createBatchReader } from '../../store/batch-reader.ts';
import type { ImportBatchStore, NewLine, StoredLine } from '../../store/import-batches.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { columnsIn } from '../../store/sql.ts';
import type { NewVersion } from '../../store/store.ts';
import type {
  ResourceIdentity,
  SupportingResourceChange,
  SupportingResourceRow,
} from '../../store/supporting-resources.ts';
import { numbered, replaceNulCharacters, type Session } from './connection.ts';
import { recordByRecord } from './dialect.ts';
import { placeholders, toColumns } from './version-rows.ts';
import type { Writes } from './writes.ts';

const beginSql = `INSERT INTO batch (id, name, form, time, who, person, state)
  VALUES ($1, $2, $3, $4::bigint, $5, $6, 'stopped')
  ON CONFLICT (id) DO UPDATE SET state = 'stopped', ended = NULL, counts = NULL`;
const endSql = `UPDATE batch SET state = 'done', ended = $2::bigint, counts = $3 WHERE id = $1 AND state <> 'undone'`;
const undoneSql = `UPDATE batch SET state = 'undone', undone = $2::bigint, undone_by = $3, undone_person = $4,
  undone_reason = $5 WHERE id = $1`;

const lineColumns = columnsIn('result text, type text, id text, address text, content text, detail text');
const recordTypes = `(${resourceTypes.map((type) => `'${type}'`).join(', ')})`;
const addLinesSql = `INSERT INTO batch_line (batch, result, record, type, id, source, address, content, detail)
  SELECT b.pk, w.result, r.pk, CASE WHEN w.type NOT IN ${recordTypes} THEN w.type END,
    CASE WHEN w.type NOT IN ${recordTypes} THEN w.id END, CASE WHEN w.type NOT IN ${recordTypes} THEN '' END,
    w.address, w.content, w.detail
  FROM unnest(${placeholders(lineColumns, 1)}) WITH ORDINALITY w(result, type, id, address, content, detail, at)
  JOIN batch b ON b.id = $1 LEFT JOIN record r ON r.type = w.type AND r.id = w.id ORDER BY w.at`;

const versionColumns = columnsIn(
  'batch text, type text, id text, version integer, previous integer, address text, content text, detail text',
);
const addVersionsSql = `INSERT INTO batch_line (batch, result, record, version, previous, address, content, detail)
  SELECT b.pk, 'stored', r.pk, w.version, w.previous, w.address, w.content, w.detail
  FROM unnest(${placeholders(versionColumns)})
    WITH ORDINALITY w(batch, type, id, version, previous, address, content, detail, at)
  JOIN batch b ON b.id = w.batch JOIN record r ON r.type = w.type AND r.id = w.id ORDER BY w.at`;

const addResourceSql = `INSERT INTO batch_line (batch, result, type, id, source, former_batch, former_url, former_sha256,
    former_body, detail)
  SELECT b.pk, $2, $3, $4, $5, $6, $7, decode($8, 'hex'), $9, $10 FROM batch b WHERE b.id = $1`;

/** A stored version with the number of the version that it replaced. */
export interface VersionInBatch {
  readonly next: NewVersion;
  readonly previous?: number;
}

/** Adds the lines of versions that were written in this transaction. */
export async function addVersionLines(session: Session, versions: readonly VersionInBatch[]): Promise<void> {
  const rows = versions.flatMap(({ next, previous }) => {
    if (!next.batchLine) return [];
    const { batch, address, content = null, detail } = next.batchLine;
    const cells = [
      address === undefined ? null : replaceNulCharacters(address),
      content,
      replaceNulCharacters(detail),
    ];
    return [[batch, next.type, next.id, next.version, previous ?? null, ...cells]];
  });
  if (rows.length > 0)
    await session.rows({ text: addVersionsSql, values: toColumns(rows, versionColumns.length) });
}

/** Adds the line of a supporting resource, with the row that it replaced. */
export async function addResourceLine(
  session: Session,
  writeResult: SupportingResourceChange,
  { type, id, source }: ResourceIdentity,
  { batch, detail, former }: StoredLine & { readonly former: SupportingResourceRow | undefined },
): Promise<void> {
  const formerCells = former
    ? [former.batch, former.fullUrl, String(former.sha256), String(former.body)]
    : [null, null, null, null];
  await session.rows({
    text: addResourceSql,
    values: [batch, writeResult, type, id, source, ...formerCells, detail],
  });
}

/** Text of a supporting resource that a batch replaced. */
export interface FormerResource {
  readonly batch: string;
  readonly fullUrl: string | null;
  readonly sha256: Buffer;
  readonly body: string;
}

const findFormerSql = `SELECT former_batch, former_url, former_sha256, former_body FROM batch_line
  WHERE pk = $1::bigint AND former_body IS NOT NULL`;
const setFormerSql = (condition: string) => `UPDATE batch_line SET former_batch = $1, former_url = $2,
  former_sha256 = $3::bytea, former_body = $4 WHERE ${condition}`;

/** Takes the text that a resource had before its line. */
export async function takeFormer(session: Session, position: number): Promise<FormerResource | undefined> {
  const [row] = await session.rows({ text: findFormerSql, values: [position] });
  await session.rows({
    text: setFormerSql('pk = $5::bigint'),
    values: [null, null, null, null, position],
  });
  const [batch, fullUrl, sha256, body] = row ?? [];
  return Buffer.isBuffer(sha256)
    ? {
        batch: String(batch),
        fullUrl: typeof fullUrl === 'string' ? fullUrl : null,
        sha256,
        body: String(body),
      }
    : undefined;
}

/** Gives the line of the batch that replaced a resource of a batch the text from before both. */
export async function passFormer(
  session: Session,
  batch: string,
  { type, id, source }: ResourceIdentity,
  former: FormerResource | undefined,
): Promise<void> {
  const cells = former
    ? [former.batch, former.fullUrl, former.sha256, former.body]
    : [null, null, null, null];
  await session.rows({
    text: setFormerSql('type = $5 AND id = $6 AND source = $7 AND former_batch = $8'),
    values: [...cells, type, id, source, batch],
  });
}

/** Creates the batches of a store. */
export function createPostgresBatches(database: Session, writes: Writes): ImportBatchStore {
  const { countResults, ...reader } = createBatchReader(
    (statement) => database.rows(numbered(statement)),
    recordByRecord,
  );
  const write = (text: string, values: Parameters<Session['rows']>[0]['values']) =>
    writes.add(async ({ session }) => void (await session.rows({ text, values: values ?? [] })));
  return {
    ...reader,
    begin: ({ id, name, form, now, author, person }) =>
      write(beginSql, [id, name, form, now, author, person ?? null]),
    addLines: (id, lines) => write(addLinesSql, [id, ...toColumns(lines.map(toCells), lineColumns.length)]),
    async end(id, now) {
      await write(endSql, [id, now, JSON.stringify(await countResults(id))]);
    },
    setUndone: (id, { now, who, person, reason }) =>
      write(undoneSql, [id, now, who, person ?? null, reason ?? null]),
  };
}

function toCells(line: NewLine): (string | null)[] {
  const { result, name, address, content = null, detail } = line;
  const storedAddress = address === undefined ? null : replaceNulCharacters(address);
  return [result, name?.type ?? null, name?.id ?? null, storedAddress, content, replaceNulCharacters(detail)];
}
