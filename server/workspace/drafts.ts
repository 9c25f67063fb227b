import type { Draft, DraftSave, DraftSummary } from '../../core/app/drafts.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import type { ErasedRecords } from '../store/store.ts';
import { localServer } from './server-key.ts';

/**
 * Table of drafts. `text` and `base` are JSON string literals, because an unfinished text may contain characters that
 * UTF-8 can't encode.
 */
export const draftMigration = `
  CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    record TEXT NOT NULL,
    title TEXT NOT NULL,
    base_version INTEGER,
    base TEXT NOT NULL,
    text TEXT NOT NULL,
    "window" TEXT NOT NULL,
    saved INTEGER NOT NULL
  ) STRICT;
`;

interface SummaryRow {
  readonly id: string;
  readonly type: string;
  readonly record: string;
  readonly title: string;
  readonly base_version: number | null;
  readonly base_etag: string | null;
  readonly window: string;
  readonly saved: number;
}

interface DraftRow extends SummaryRow {
  readonly base: string;
  readonly text: string;
}

/**
 * Reason why a draft was not saved: another window edits it, its base text is not known yet, or its record was erased.
 */
export type DraftRejectionCode = 'claimed' | 'base-needed' | 'erased';

const summaryColumns = 'id, type, record, title, base_version, base_etag, "window", saved';

export type DraftStore = ReturnType<typeof draftStore>;

/**
 * Creates the store of drafts. Each call is one statement or one transaction. `server` is a key of server-key.ts.
 * Drafts of another server are invisible.
 */
export function draftStore(
  database: SqliteDatabase,
  clock: () => number,
  erasures: Pick<ErasedRecords, 'has'>,
) {
  const listDrafts = database.prepare<unknown[], SummaryRow>(
    `SELECT ${summaryColumns} FROM draft WHERE server = ? ORDER BY saved DESC, rowid DESC`,
  );
  const byId = database.prepare<unknown[], DraftRow>('SELECT * FROM draft WHERE server = ? AND id = ?');
  const foreign = database.prepare('SELECT 1 FROM draft WHERE server <> ? AND id = ?');
  const upsert = database.prepare(
    `INSERT INTO draft (server, id, type, record, title, base_version, base_etag, base, text, "window", saved)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET title = excluded.title, base_version = excluded.base_version,
       base_etag = excluded.base_etag, base = excluded.base, text = excluded.text, saved = excluded.saved`,
  );
  const setWindow = database.prepare('UPDATE draft SET "window" = ? WHERE server = ? AND id = ?');
  const deleteDraft = database.prepare('DELETE FROM draft WHERE server = ? AND id = ?');

  function store(server: string, id: string, draft: DraftSave): DraftSummary | DraftRejectionCode {
    if (server === localServer && erasures.has({ type: draft.type, id: draft.recordId })) return 'erased';
    if (foreign.get(server, id)) return 'claimed';
    const storedDraft = byId.get(server, id);
    if (storedDraft && storedDraft.window !== draft.window) return 'claimed';
    const { baseVersion: version = null, baseEtag: etag = null } = draft;
    const isSameBase = storedDraft?.base_version === version && storedDraft.base_etag === etag;
    const knownBase = isSameBase ? storedDraft.base : undefined;
    const base = draft.base === undefined ? knownBase : JSON.stringify(draft.base);
    if (base === undefined) return 'base-needed';
    const { type, recordId, title, window } = draft;
    const texts = [base, JSON.stringify(draft.text)];
    upsert.run(server, id, type, recordId, title, version, etag, ...texts, window, clock());
    const row = byId.get(server, id);
    if (!row) throw new Error('The draft is not there after it was written.');
    return summaryOf(row);
  }

  return {
    /** Returns the drafts, newest first. */
    list: (server: string) => Promise.resolve(listDrafts.all(server).map(summaryOf)),
    read: (server: string, id: string) => Promise.resolve(draftOf(byId.get(server, id))),
    save: (server: string, id: string, draft: DraftSave) =>
      Promise.resolve(database.transaction(() => store(server, id, draft)).immediate()),
    /** Assigns a draft to another window. Returns undefined if there is none. */
    claim(server: string, id: string, window: string) {
      setWindow.run(window, server, id);
      return Promise.resolve(draftOf(byId.get(server, id)));
    },
    /** Removes a draft if it exists. */
    remove(server: string, id: string) {
      deleteDraft.run(server, id);
      return Promise.resolve();
    },
  };
}

function summaryOf({ id, type, record, title, window, saved: savedMs, ...base }: SummaryRow): DraftSummary {
  if (!isResourceType(type)) throw new Error('A draft is of a type that is not offered.');
  return {
    id,
    type,
    recordId: record,
    title,
    ...(base.base_version !== null && { baseVersion: base.base_version }),
    ...(base.base_etag !== null && { baseEtag: base.base_etag }),
    window,
    saved: new Date(savedMs).toISOString(),
  };
}

function draftOf(row: DraftRow | undefined): Draft | undefined {
  return row && { ...summaryOf(row), text: parseLiteral(row.text), base: parseLiteral(row.base) };
}

function parseLiteral(jsonString: string): string {
  return String(JSON.parse(jsonString));
}
