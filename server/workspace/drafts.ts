import type { Draft, DraftSave, DraftSummary } from '../../core/app/drafts.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { Erased } from '../store/store.ts';
import { localServer } from './server-key.ts';

/** `text` and `base` are JSON string literals: a text in the middle of an edit may hold what no UTF-8 can. */
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
 * Why a draft was not saved: another window goes on with it, the text that it was made on is not known yet, or its
 * record was erased.
 */
export type DraftRefusal = 'claimed' | 'base-needed' | 'erased';

const summary = 'id, type, record, title, base_version, base_etag, "window", saved';

export type DraftStore = ReturnType<typeof draftStore>;

/**
 * The drafts in the workspace database; each call is one statement or one transaction. `server` is that of server-key.ts; a
 * draft of another server is as none.
 */
export function draftStore(database: SqliteDatabase, clock: () => number, erased: Pick<Erased, 'has'>) {
  const all = database.prepare<unknown[], SummaryRow>(
    `SELECT ${summary} FROM draft WHERE server = ? ORDER BY saved DESC, rowid DESC`,
  );
  const byId = database.prepare<unknown[], DraftRow>('SELECT * FROM draft WHERE server = ? AND id = ?');
  const foreign = database.prepare('SELECT 1 FROM draft WHERE server <> ? AND id = ?');
  const upsert = database.prepare(
    `INSERT INTO draft (server, id, type, record, title, base_version, base_etag, base, text, "window", saved)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET title = excluded.title, base_version = excluded.base_version,
       base_etag = excluded.base_etag, base = excluded.base, text = excluded.text, saved = excluded.saved`,
  );
  const hand = database.prepare('UPDATE draft SET "window" = ? WHERE server = ? AND id = ?');
  const remove = database.prepare('DELETE FROM draft WHERE server = ? AND id = ?');

  function store(server: string, id: string, draft: DraftSave): DraftSummary | DraftRefusal {
    if (server === localServer && erased.has({ type: draft.type, id: draft.recordId })) return 'erased';
    if (foreign.get(server, id)) return 'claimed';
    const held = byId.get(server, id);
    if (held && held.window !== draft.window) return 'claimed';
    const { baseVersion: version = null, baseEtag: etag = null } = draft;
    const same = held?.base_version === version && held.base_etag === etag;
    const known = same ? held.base : undefined;
    const base = draft.base === undefined ? known : JSON.stringify(draft.base);
    if (base === undefined) return 'base-needed';
    const { type, recordId, title, window } = draft;
    const texts = [base, JSON.stringify(draft.text)];
    upsert.run(server, id, type, recordId, title, version, etag, ...texts, window, clock());
    const row = byId.get(server, id);
    if (!row) throw new Error('The draft is not there after it was written.');
    return summaryOf(row);
  }

  return {
    /** Newest first. */
    list: (server: string) => Promise.resolve(all.all(server).map(summaryOf)),
    read: (server: string, id: string) => Promise.resolve(draftOf(byId.get(server, id))),
    save: (server: string, id: string, draft: DraftSave) =>
      Promise.resolve(database.transaction(() => store(server, id, draft)).immediate()),
    /** Hands a draft to another window; undefined where there is none. */
    claim(server: string, id: string, window: string) {
      hand.run(window, server, id);
      return Promise.resolve(draftOf(byId.get(server, id)));
    },
    /** Removes a draft where it is there. */
    remove(server: string, id: string) {
      remove.run(server, id);
      return Promise.resolve();
    },
  };
}

function summaryOf({ id, type, record, title, window, saved, ...base }: SummaryRow): DraftSummary {
  if (!isResourceType(type)) throw new Error('A draft is of a type that is not offered.');
  return {
    id,
    type,
    recordId: record,
    title,
    ...(base.base_version !== null && { baseVersion: base.base_version }),
    ...(base.base_etag !== null && { baseEtag: base.base_etag }),
    window,
    saved: new Date(saved).toISOString(),
  };
}

function draftOf(row: DraftRow | undefined): Draft | undefined {
  return row && { ...summaryOf(row), text: literal(row.text), base: literal(row.base) };
}

function literal(stored: string): string {
  return String(JSON.parse(stored));
}
