/** All kinds of rows that are moved, in this order. Called by move.ts. */
import { columnsIn, type Value } from '../../store/sql.ts';
import { createTableMover, type TableMover } from './table-mover.ts';
import { plainRows, insertRows, maxRows, buildInsertSql } from './plain-rows.ts';
import { versions } from './versions.ts';
import { workspaceKinds } from './workspace-rows.ts';
import { numbered, type Session } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import type { MovedTable, DatabaseTable, FolderFiles, FolderTable } from './kind.ts';
import { initialSeal } from '../../store/audit-chain.ts';
import { AuditLogWriter } from '../../store/sqlite/audit-log-writer.ts';
import type { ChainedRow } from '../../store/audit-chains.ts';
import { toChainedRow } from '../postgres/audit.ts';
import { entryColumns, entryTypes } from '../postgres/chain.ts';
import { readSubjects } from '../../../core/fhir/supporting-resource.ts';
import { checksumOf } from '../../store/checksum.ts';
import { prepareRaw } from '../../sqlite/sqlite.ts';
import { batches, boundedSql } from './bounded.ts';

// Supporting resources. The destination derives their subjects from their texts.

/** `place` is the position in the order of arrival, equal in both engines. */
type MovedSupportingResource = readonly [
  ...[place: number, type: string, id: string, source: string, batch: string, fullUrl: string | null],
  ...[body: string, sha256: Value],
];

const supportingResources: MovedTable<MovedSupportingResource> = {
  name: 'companions',
  keyOf: ([place]) => [place],
  nameOf: ([, type, id]) => `related resource ${type}/${id}`,
  listCells: (row) => row,
  findDamage: ([, type, id, , , , body, storedSum]) =>
    storedSum instanceof Uint8Array && checksumOf(body).equals(storedSum)
      ? undefined
      : `related resource ${type}/${id}: its text is damaged.`,
  openInFolder: ({ records }) => inFolder(records),
  openInDatabase: inDatabase,
};

function subjectsOf([, type, , , , fullUrl, body]: MovedSupportingResource) {
  return readSubjects(type, body, fullUrl);
}

function inFolder(records: FolderFiles['records']): FolderTable<MovedSupportingResource> {
  return {
    *read() {
      const rows = prepareRaw<MovedSupportingResource>(
        records,
        'SELECT pk, type, id, source, batch, full_url, body, sha256 FROM companion ORDER BY pk',
      );
      yield* batches(rows.iterate(), ([, , , , , , body]) => body.length);
    },
    write(rows) {
      const add = records.prepare(
        `INSERT INTO companion (pk, type, id, source, batch, full_url, body, sha256)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      const addSubject = records.prepare(
        'INSERT INTO companion_subject (companion, id, type) VALUES (?, ?, ?)',
      );
      for (const row of rows) {
        add.run(...row);
        for (const { id, type = null } of subjectsOf(row)) addSubject.run(row[0], id, type);
      }
    },
    clear: () => void records.exec('DELETE FROM companion_subject; DELETE FROM companion'),
  };
}

const types = columnsIn(
  'place bigint, type text, id text, source text, batch text, full_url text, body text, sha256 bytea',
);
const insertResourceSql = `${buildInsertSql('companion', types)} RETURNING pk, place`;
const insertSubjectsSql = buildInsertSql(
  'companion_subject',
  columnsIn('companion bigint, id text, type text'),
);
const nextCompanionsSql = `SELECT w.place, w.type, w.id, w.source, w.batch, w.full_url, w.body, w.sha256
  FROM ${boundedSql('companion WHERE place > $1::bigint', 'place')} w ORDER BY w.place`;
/** The next resource gets a later position. */
const stampSql = `UPDATE companion_stamp SET stamp = greatest(stamp, (SELECT max(place) FROM companion))`;

function inDatabase(session: Session): DatabaseTable<MovedSupportingResource> {
  return {
    read: () =>
      readInChunks<MovedSupportingResource>(async (lastRow) => {
        const rows = await session.rows({ text: nextCompanionsSql, values: [lastRow?.[0] ?? 0] });
        return rows.map(([place, type, id, source, batch, fullUrl, body, storedSum = null]) => {
          const url = fullUrl === null ? null : String(fullUrl);
          const origin = [String(source), String(batch), url] as const;
          return [Number(place), String(type), String(id), ...origin, String(body), storedSum];
        });
      }),
    async write(rows) {
      const insertedRows = await insertRows(session, insertResourceSql, rows);
      const keysByPosition = new Map(insertedRows.map(([pk, place]) => [Number(place), Number(pk)]));
      const subjects = rows.flatMap((row) =>
        subjectsOf(row).map(({ id, type = null }) => [keysByPosition.get(row[0]) ?? 0, id, type]),
      );
      await insertRows(session, insertSubjectsSql, subjects);
      await session.rows({ text: stampSql });
    },
    async clear() {
      for (const text of ['DELETE FROM companion_subject', 'DELETE FROM companion'])
        await session.rows({ text });
    },
  };
}

/** Columns of a chained row (audit-chains.ts). */
const seqColumn = 0;
const sealColumn = 12;

const selectNextSql = `SELECT node, place, ${entryColumns} FROM audit WHERE place > $1::bigint
  ORDER BY place LIMIT ${maxRows}`;
const insertSql = `${buildInsertSql('audit', [['place', 'bigint'], ['node', 'integer'], ...entryTypes])}
  ON CONFLICT DO NOTHING`;

/** Stores the end of a chain: its latest entry and its latest seal. Each server (node) writes its own chain. */
const upsertChainEndSql = `INSERT INTO node AS n (node, seq, seal) VALUES ($1, $2, coalesce($3::bytea, $4))
  ON CONFLICT (node) DO UPDATE SET seq = excluded.seq, seal = coalesce($3, n.seal)`;

async function writeEntries(session: Session, rows: readonly ChainedRow[]): Promise<void> {
  for (const { place, row } of rows) {
    if (row.some((cell) => typeof cell === 'string' && cell.includes('\0')))
      throw new Error(
        `Audit entry ${place} contains U+0000, which PostgreSQL can’t store. It can’t be moved.`,
      );
  }
  await insertRows(
    session,
    insertSql,
    rows.map(({ place, chain, row }) => [place, chain, ...row]),
  );
  for (const chain of new Set(rows.map((row) => row.chain))) {
    const chainRows = rows.filter((row) => row.chain === chain).map(({ row }) => row);
    const seal = chainRows.findLast((row) => row[sealColumn] !== null)?.[sealColumn] ?? null;
    await session.rows({
      text: upsertChainEndSql,
      values: [chain, chainRows.at(-1)?.[seqColumn] ?? 0, seal, initialSeal],
    });
  }
}

/** All audit entries with their positions, chain numbers and seals. */
const auditEntries: MovedTable<ChainedRow> = {
  name: 'audit entries',
  isAppendOnly: true,
  keyOf: ({ place }) => [place],
  nameOf: ({ place }) => `audit entry ${place}`,
  listCells: ({ place, chain, row }) => [place, chain, ...row],
  openInFolder: ({ records }) => {
    const auditLog = new AuditLogWriter(records);
    return {
      read: (after) =>
        readInChunks<ChainedRow>((lastRow) =>
          auditLog.readChained(lastRow?.place ?? Number(after?.[0] ?? 0), maxRows),
        ),
      write: (rows) => auditLog.insertMoved(rows),
    };
  },
  openInDatabase: (session) => ({
    read: (after) =>
      readInChunks<ChainedRow>(async (lastRow) => {
        const rows = await session.rows({ text: selectNextSql, values: [lastRow?.place ?? after?.[0] ?? 0] });
        return rows.map(([node, ...row]) => toChainedRow(Number(node), row));
      }),
    write: (rows) => writeEntries(session, rows),
  }),
};

/**
 * `[taken, vouched]`: the highest version number assigned before a restore (numbering.ts), and the position
 * up to which versions may lack audit entries because they are older than the log.
 */
type Numbers = readonly [taken: number, vouched: number];

const noNumbers: Numbers = [0, 0];

function* yieldNumbers(numbers: Numbers): Generator<readonly Numbers[]> {
  if (numbers.some((number) => number !== 0)) yield [numbers];
}

export const numbers: MovedTable<Numbers> = {
  name: 'numbers of versions',
  keyOf: () => [0],
  nameOf: () => 'version numbers in use',
  listCells: (row) => row,
  openInFolder({ records }) {
    const write = ([usedNumber, unauditedPrefix]: Numbers) => {
      records.exec('DELETE FROM numbering; DELETE FROM vouched');
      records.prepare('INSERT INTO numbering (taken) VALUES (?)').run(usedNumber);
      records.prepare('INSERT INTO vouched (after) VALUES (?)').run(unauditedPrefix);
    };
    return {
      *read() {
        const text = 'SELECT (SELECT max(taken) FROM numbering), (SELECT max(after) FROM vouched)';
        const [usedNumber, unauditedPrefix] =
          records.prepare<unknown[], (number | null)[]>(text).raw().get() ?? [];
        yield* yieldNumbers([usedNumber ?? 0, unauditedPrefix ?? 0]);
      },
      write: ([row = noNumbers]) => write(row),
      clear: () => write(noNumbers),
    };
  },
  openInDatabase(session) {
    const write = async ([usedNumber, unauditedPrefix]: Numbers) => {
      await session.rows({ text: 'UPDATE numbering SET taken = $1', values: [usedNumber] });
      await session.rows({ text: 'UPDATE move SET vouched = $1', values: [unauditedPrefix] });
    };
    return {
      async *read() {
        const text = 'SELECT (SELECT max(taken) FROM numbering), (SELECT max(vouched) FROM move)';
        const [[usedNumber, unauditedPrefix] = []] = await session.rows({ text });
        yield* yieldNumbers([Number(usedNumber), Number(unauditedPrefix)]);
      },
      write: ([row = noNumbers]) => write(row),
      clear: () => write(noNumbers),
    };
  },
};

// List of erasures, so that none of the records returns: rows of the workspace in a folder, of the store in
// PostgreSQL.

const columns = 'type, id, source, time, who, person, reason';

type Erasure = readonly [type: string, id: string, source: string, ...rest: Value[]];

const nextSql = `SELECT ${columns} FROM erased WHERE (type, id, source) > (?, ?, ?) ORDER BY type, id, source LIMIT ${maxRows}`;
const insertErasuresSql = `INSERT INTO erased (${columns}, stamp) SELECT w.*, nextval('workspace_stamp')
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[]) w`;
// The audit entries were moved before, in another transaction.
const triggerSql = (mode: string) => `ALTER TABLE erased ${mode} TRIGGER erasure_is_told`;

const erasures: MovedTable<Erasure> = {
  name: 'erasures',
  keyOf: ([type, id, source]) => [type, id, source],
  nameOf: ([type, id]) => `erasure of ${type}/${id}`,
  listCells: (row) => row,
  openInFolder: ({ workspace }) => ({
    *read() {
      const text = `SELECT ${columns} FROM erasure ORDER BY type, id, source`;
      const rows = workspace.prepare<unknown[], Erasure>(text).raw().all();
      if (rows.length > 0) yield rows;
    },
    write(rows) {
      const add = workspace.prepare(`INSERT INTO erasure (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
      for (const row of rows) add.run(...row);
    },
    clear: () => void workspace.exec('DELETE FROM erasure'),
  }),
  openInDatabase: (session) => ({
    read: () =>
      readInChunks<Erasure>(async ([afterType, afterId, afterSource] = ['', '', '']) => {
        const rows = await session.rows(
          numbered({ text: nextSql, values: [afterType, afterId, afterSource] }),
        );
        return rows.map(([type, id, source, ...remainingCells]) => [
          String(type),
          String(id),
          String(source),
          ...remainingCells,
        ]);
      }),
    async write(rows) {
      await session.rows({ text: triggerSql('DISABLE') });
      await insertRows(session, insertErasuresSql, rows);
      await session.rows({ text: triggerSql('ENABLE') });
    },
    clear: () => session.rows({ text: 'DELETE FROM erased' }),
  }),
};

const day = (number: unknown) => new Date(Number(number) * 86_400_000).toISOString().slice(0, 10);

const findingEnds = plainRows({
  name: 'ends of findings',
  table: 'finding_end',
  keys: 4,
  types: columnsIn('ended integer, since integer, rule text, type text, findings integer'),
  nameOf: ([endDay, , rule]) => `issues of ${String(rule)} that ended on ${day(endDay)}`,
});

const measures = plainRows({
  name: 'measures',
  table: 'measure',
  keys: 3,
  types: columnsIn(`day integer, rule text, type text, applied integer, violated integer, skipped integer,
    findings integer`),
  nameOf: ([dayNumber, rule]) => `result of ${String(rule)} on ${day(dayNumber)}`,
});

const origins = plainRows({
  name: 'origins of records',
  table: 'origin',
  keys: 2,
  types: columnsIn('type text, id text, source text, batch text, full_url text'),
  nameOf: ([type, id]) => `origin of ${String(type)}/${String(id)}`,
});

const documents = plainRows({
  name: 'documents of imports',
  table: 'document',
  keys: 2,
  types: columnsIn('type text, id text, head text, entries text'),
  nameOf: ([type, id]) => `document of ${String(type)}/${String(id)}`,
});

// A line of a batch names a record by its key, which a move keeps.
const importBatches = plainRows({
  name: 'import batches',
  table: 'batch',
  keys: 1,
  types:
    columnsIn(`pk bigint, id text, name text, form text, time bigint, who text, person text, state text, ended bigint,
    counts text, undone bigint, undone_by text, undone_person text, undone_reason text`),
  nameOf: ([, id, name]) => `import batch ${String(name)} (${String(id)})`,
});

const batchLines = plainRows({
  name: 'lines of import batches',
  table: 'batch_line',
  keys: 1,
  types:
    columnsIn(`pk bigint, batch bigint, result text, record bigint, version integer, previous integer, address text,
    content text, type text, id text, source text, former_batch text, former_url text, former_sha256 bytea,
    former_body text, detail text`),
  nameOf: ([pk]) => `line ${String(pk)} of an import batch`,
});

const removedRecords = plainRows({
  name: 'removed records',
  table: 'removed',
  keys: 1,
  types: columnsIn(
    `record bigint, type text, id text, version integer, time bigint, who text, person text, reason text`,
  ),
  nameOf: ([, type, id]) => `removal of ${String(type)}/${String(id)}`,
});

export const tableMovers: readonly TableMover[] = [
  createTableMover(versions),
  createTableMover(findingEnds),
  createTableMover(measures),
  createTableMover(supportingResources),
  createTableMover(origins),
  createTableMover(documents),
  createTableMover(importBatches),
  createTableMover(batchLines),
  createTableMover(removedRecords),
  createTableMover(erasures),
  createTableMover(numbers),
  createTableMover(auditEntries),
  ...workspaceKinds.map(createTableMover),
];
