/**
 * Supporting resources in PostgreSQL, in the table `companion`. A writer locks the single row of `companion_stamp` until its commit.
 * Positions therefore grow in the order of commits, and two servers never store the same resource at once.
 * The commit notifies all servers.
 */
import { batchSource } from '../../../core/fhir/origin.ts';
import {
  readSubjects,
  type NamedResource,
  type ParsedSupportingResource,
} from '../../../core/fhir/supporting-resource.ts';
import { checksumOf } from '../../store/checksum.ts';
import {
  maxCandidates,
  previewWriteIn,
  chooseErasureTargets,
  isAboutTarget,
  listErased,
  isChange,
  createStoreEntry,
  createUndoEntry,
  createSupportingResourceReader,
  removalBatchSize,
  createRemovalEntry,
  removeInSteps,
  type KeyedRow,
  type ResourceIdentity,
  type SourcedName,
  type SupportingWriteResult,
  type SupportingResourceLookups,
  type SupportingResourceRow,
  type SupportingResourceStore,
} from '../../store/supporting-resources.ts';
import type { Actor } from '../../store/actor.ts';
import type { StoredLine, WrittenResource } from '../../store/import-batches.ts';
import type { Value } from '../../store/sql.ts';
import { codeOf, StoreBusyError } from '../../store/store-error.ts';
import { causeOf, erasedCode } from './driver-errors.ts';
import { addResourceLine, passFormer, takeFormer } from './batches.ts';
import type { DatabaseClock } from './clock.ts';
import { replaceNulCharacters, type SqlParameter, type Session } from './connection.ts';
import { indexedLength } from './dialect.ts';
import { channels, type Signals } from './signals.ts';
import { textColumns } from './texts.ts';
import { toColumns } from './version-rows.ts';
import type { Writes, WriteContext } from './writes.ts';

const selectSql = (condition: string) =>
  `SELECT v.type, v.id, v.source, v.batch, v.full_url, ${textColumns} FROM companion v
   WHERE ${condition} ORDER BY v.place DESC LIMIT ${maxCandidates}`;

const findByNameSql = selectSql('v.type = $1 AND v.id = $2');
const findOfSourceSql = selectSql('v.type = $1 AND v.id = $2 AND v.source = $3');
const findByUrlSql = selectSql(
  `left(v.full_url, ${indexedLength}) = left($1, ${indexedLength}) AND v.full_url = $1`,
);
const findByIdsSql = selectSql('v.id IN ($1, $2)');
const findOriginSql = 'SELECT source, batch, full_url FROM origin WHERE type = $1 AND id = $2';
const findRecordsByUrlSql = `SELECT type, id, source, batch FROM origin
  WHERE left(full_url, ${indexedLength}) = left($1, ${indexedLength}) AND full_url = $1
  ORDER BY type, id LIMIT ${maxCandidates}`;

// A writer holds the lock, so that an identity has one row. Sources are too long for a unique index.
const replaceSql = `WITH former AS (DELETE FROM companion WHERE type = $2 AND id = $3 AND source = $4 RETURNING pk),
  gone AS (DELETE FROM companion_subject s USING former WHERE s.companion = former.pk),
  c AS (INSERT INTO companion (place, type, id, source, batch, full_url, sha256, body)
    VALUES ($1::bigint, $2, $3, $4, $5, $6, $7, $8) RETURNING pk),
  about AS (INSERT INTO companion_subject (companion, id, type)
    SELECT c.pk, w.* FROM c, unnest($9::text[], $10::text[]) w)
  SELECT 1 FROM c`;

const formatRemoveSql = (
  condition: string,
) => `WITH gone AS (DELETE FROM companion WHERE ${condition} RETURNING pk, type, id),
  about AS (DELETE FROM companion_subject s USING gone WHERE s.companion = gone.pk)
  SELECT type, id FROM gone`;

const removeAllSql = formatRemoveSql(`pk IN (SELECT pk FROM companion LIMIT ${removalBatchSize})`);
const removeTypeSql = formatRemoveSql(
  `pk IN (SELECT pk FROM companion WHERE type = $1 LIMIT ${removalBatchSize})`,
);
const removeOneSql = formatRemoveSql('type = $1 AND id = $2 AND source = $3');
const eraseSql = formatRemoveSql('pk = ANY($1::bigint[])');
const keyedSql = (condition: string) =>
  `SELECT v.type, v.id, v.source, v.batch, v.full_url, ${textColumns}, v.pk FROM companion v WHERE ${condition}`;
const findTargetsSql = keyedSql('v.type = $1 AND v.id = $2');
const findAboutSql = keyedSql(`v.pk IN (SELECT s.companion
  FROM unnest($2::text[]) w(id) JOIN companion_subject s ON left(s.id, ${indexedLength}) = left(w.id, ${indexedLength})
    AND s.id = w.id AND coalesce(s.type, $1) = $1)`);

/** Texts that a later import replaced. */
const findFormersSql = (condition: string) =>
  `SELECT l.type, l.id, l.source, l.former_batch, l.former_url, l.former_body, upper(encode(l.former_sha256, 'hex')), l.pk
   FROM batch_line l WHERE l.former_body IS NOT NULL AND ${condition}`;
const dropFormersSql = `UPDATE batch_line SET former_batch = NULL, former_url = NULL, former_sha256 = NULL,
  former_body = NULL WHERE pk = ANY ($1::bigint[])`;
const dropLinesSql = "DELETE FROM batch_line WHERE type = $1 AND id = $2 AND (source IN ($3, '') OR $3 = '')";

const lockSql = 'SELECT stamp FROM companion_stamp FOR UPDATE';

const nextPlaceSql = `WITH s AS (UPDATE companion_stamp SET stamp = stamp + 1 RETURNING stamp)
  SELECT stamp, pg_notify('${channels.companions}', '') FROM s`;

export function createPostgresSupportingResources(
  database: Session,
  writes: Writes,
  signals: Pick<Signals, 'on'>,
  clock: Pick<DatabaseClock, 'now'>,
): SupportingResourceStore {
  const lookups = createLookups(database);
  const { notifyListeners, ...readers } = createSupportingResourceReader(lookups);
  signals.on('companions', notifyListeners);
  return {
    ...readers,

    async store(resource, batch, actor, batchLine) {
      const storedResource = toStoredForm(resource);
      const writeResult = await writes
        .add((context) =>
          storeResource(context, { resource: storedResource, batch, actor, time: clock.now(), batchLine }),
        )
        .catch(mapErasedError);
      if (isChange(writeResult)) notifyListeners();
      return writeResult;
    },

    async undo(batch, resources, actor) {
      await writes.add(async (context) => {
        await nextPlace(context.session);
        for (const resource of resources) {
          const time = clock.now();
          await undoResource(context, { resource, batch: batchSource(batch), actor, time });
        }
      });
      notifyListeners();
    },

    async previewWrite(resource, batch) {
      return (await previewWriteIn(lookups, toStoredForm(resource), batch)).writeResult;
    },

    async getFingerprint() {
      const [[stamp] = []] = await database.rows({ text: 'SELECT stamp FROM companion_stamp' });
      return String(stamp);
    },

    async countByType() {
      const text = 'SELECT type, count(*) FROM companion GROUP BY type ORDER BY type';
      const rows = await database.rows({ text });
      return rows.map(([type, count]) => ({ type: String(type), count: Number(count) }));
    },

    async listNames(type, after, limit) {
      const text = `SELECT type, id, source FROM companion WHERE type = $1 AND (id, source) > ($2, $3)
        ORDER BY id, source LIMIT $4::integer`;
      const values = [type, after?.id ?? '', after?.source ?? '', limit];
      return (await database.rows({ text, values })).map((row) => ({
        ...nameOf(row),
        source: String(row[2]),
      }));
    },

    async remove(type, actor) {
      const [text, values] = type === undefined ? [removeAllSql, []] : [removeTypeSql, [type]];
      const removedCount = await removeInSteps(() =>
        writes.add(async ({ session, note }) => {
          const { length } = await removeSupportingResources(session, text, values);
          if (length < removalBatchSize) note({ ...createRemovalEntry(type, actor), time: clock.now() });
          return length;
        }),
      );
      notifyListeners();
      return removedCount;
    },
  };
}

function createLookups(database: Session): SupportingResourceLookups {
  const rows = async (text: string, ...values: string[]) =>
    (await database.rows({ text, values })).map(rowOf);
  return {
    findByName: ({ type, id }) => rows(findByNameSql, type, id),
    findByUrl: (fullUrl) => rows(findByUrlSql, fullUrl),
    findByIds: (...ids) => rows(findByIdsSql, ...ids),
    findOfSource: async ({ type, id, source }) => (await rows(findOfSourceSql, type, id, source))[0],
    async findRecordsByUrl(fullUrl) {
      const records = await database.rows({ text: findRecordsByUrlSql, values: [fullUrl] });
      return records.map(([type, id, source, batch]) => ({
        ...nameOf([type ?? '', id ?? '']),
        source: String(source),
        batch: String(batch),
        fullUrl,
      }));
    },
    async findOrigin({ type, id }) {
      const [row] = await database.rows({ text: findOriginSql, values: [type, id] });
      if (!row) return undefined;
      const [source, batch, fullUrl] = row;
      return {
        source: String(source),
        batch: String(batch),
        fullUrl: typeof fullUrl === 'string' ? fullUrl : undefined,
      };
    },
  };
}

function rowOf([type, id, source, batch, fullUrl, body, sha256]: readonly Value[]): SupportingResourceRow {
  return {
    type: String(type),
    id: String(id),
    source: String(source),
    batch: String(batch),
    fullUrl: typeof fullUrl === 'string' ? fullUrl : null,
    body: Buffer.from(String(body)),
    sha256,
  };
}

/** Replaces U+0000 first, so that the comparison uses the stored form. */
function toStoredForm({ fullUrl, source, ...resource }: ParsedSupportingResource): ParsedSupportingResource {
  return {
    ...resource,
    ...(fullUrl !== undefined && { fullUrl: replaceNulCharacters(fullUrl) }),
    ...(source !== undefined && { source: replaceNulCharacters(source) }),
  };
}

interface SupportingWrite {
  readonly resource: ParsedSupportingResource;
  readonly batch: string;
  readonly actor: Actor;
  readonly time: number;
  readonly batchLine?: StoredLine | undefined;
}

async function storeResource(
  { session, note }: WriteContext,
  { resource, batch, actor, time, batchLine }: SupportingWrite,
): Promise<SupportingWriteResult> {
  const lookups = createLookups(session);
  // A write without a change needs no lock.
  const previewWithoutLock = await previewWriteIn(lookups, resource, batch);
  if (!isChange(previewWithoutLock.writeResult)) return previewWithoutLock.writeResult;
  const place = await nextPlace(session);
  // Another server may have stored this resource in the meantime.
  const { source, writeResult } = await previewWriteIn(lookups, resource, batch);
  if (!isChange(writeResult)) return writeResult;
  const { type, id, fullUrl = null, text, subjects } = resource;
  const subjectRows = subjects.map((subject) => [subject.id, subject.type ?? null]);
  const columns = toColumns(subjectRows, 2);
  const values = [place, type, id, source, batch, fullUrl, checksumOf(text), text, ...columns];
  const former = batchLine && (await lookups.findOfSource({ type, id, source }));
  await session.rows({ text: replaceSql, values });
  if (batchLine) await addResourceLine(session, writeResult, { type, id, source }, { ...batchLine, former });
  note({ ...createStoreEntry(writeResult, resource, actor), time });
  return writeResult;
}

interface SupportingUndo extends Omit<SupportingWrite, 'resource' | 'batchLine'> {
  readonly resource: WrittenResource;
}

/** Undoes the write of a batch. The caller holds the lock. */
async function undoResource(
  { session, note }: WriteContext,
  { resource, batch, actor, time }: SupportingUndo,
): Promise<void> {
  const { position, type, id, source } = resource;
  const identity = { type, id, source };
  const former = await takeFormer(session, position);
  if ((await createLookups(session).findOfSource(identity))?.batch !== batch) {
    await passFormer(session, batch, identity, former);
    return;
  }
  if (former) {
    const subjectRows = readSubjects(type, former.body, former.fullUrl).map((subject) => [
      subject.id,
      subject.type ?? null,
    ]);
    const place = await nextPlace(session);
    const cells = [former.batch, former.fullUrl, former.sha256, former.body];
    await session.rows({
      text: replaceSql,
      values: [place, type, id, source, ...cells, ...toColumns(subjectRows, 2)],
    });
  } else await session.rows({ text: removeOneSql, values: [type, id, source] });
  note({ ...createUndoEntry(former !== undefined, identity, actor), time });
}

/** Locks other writers, notifies all servers at the commit and returns a position after all others. */
async function nextPlace(session: Session): Promise<number> {
  const [[place] = []] = await session.rows({ text: nextPlaceSql });
  return Number(place);
}

async function removeSupportingResources(
  session: Session,
  text: string,
  values: readonly SqlParameter[],
): Promise<readonly NamedResource[]> {
  await session.rows({ text: lockSql });
  const removedNames = (await session.rows({ text, values })).map(nameOf);
  if (removedNames.length > 0) await nextPlace(session);
  return removedNames;
}

function nameOf([type, id]: readonly Value[]): NamedResource {
  return { type: String(type), id: String(id) };
}

/**
 * Removes a supporting resource and the resources about it, with what import batches keep of them. Returns their identities, that of the resource first. Call it
 * within a transaction.
 */
export async function eraseSupportingResource(
  session: Session,
  { type, id, source }: SourcedName,
): Promise<readonly ResourceIdentity[]> {
  await session.rows({ text: lockSql });
  const findRows = async (text: string, ...values: SqlParameter[]): Promise<KeyedRow[]> =>
    (await session.rows({ text, values })).map((row) => ({ ...rowOf(row), pk: Number(row[7]) }));
  const namedFormers = await findRows(findFormersSql('l.type = $1 AND l.id = $2'), type, id);
  const targets = chooseErasureTargets({ type, id, source }, [
    ...(await findRows(findTargetsSql, type, id)),
    ...namedFormers,
  ]);
  const rowsAbout = await findRows(findAboutSql, type, targets.ids);
  const erasedRows = [...targets.targets, ...rowsAbout.filter((row) => isAboutTarget(row, targets))];
  const erasedKeys = erasedRows.filter((row) => !namedFormers.includes(row)).map(({ pk }) => pk);
  await removeSupportingResources(session, eraseSql, [erasedKeys]);
  const formersAbout = await findRows(
    findFormersSql(
      'EXISTS (SELECT 1 FROM unnest($1::text[]) w(id) WHERE position(w.id IN l.former_body) > 0)',
    ),
    targets.ids,
  );
  const formerKeys = formersAbout.filter((row) => isAboutTarget(row, targets)).map(({ pk }) => pk);
  await session.rows({ text: dropFormersSql, values: [formerKeys] });
  const identities = listErased({ type, id, source }, erasedRows);
  for (const identity of identities)
    await session.rows({ text: dropLinesSql, values: [identity.type, identity.id, identity.source] });
  return identities;
}

/** Another server erased the resource, which the list here does not know yet. A retry is rejected with the reason. */
function mapErasedError(error: unknown): never {
  if (codeOf(causeOf(error)) !== erasedCode) throw error;
  throw new StoreBusyError('The record was erased a moment ago.', erasedCode, error);
}
