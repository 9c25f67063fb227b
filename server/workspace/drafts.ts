import type { Draft, DraftSave, DraftSummary } from '../../core/app/drafts.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';

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
  readonly window: string;
  readonly saved: number;
}

interface DraftRow extends SummaryRow {
  readonly base: string;
  readonly text: string;
}

/** Why a draft was not saved: another window goes on with it, or the text that it was made on is not known yet. */
export type DraftRefusal = 'claimed' | 'base-needed';

export interface DraftStore {
  /** Newest first. */
  list(): Promise<readonly DraftSummary[]>;
  read(id: string): Promise<Draft | undefined>;
  save(id: string, draft: DraftSave): Promise<DraftSummary | DraftRefusal>;
  /** Hands a draft to another window; undefined where there is none. */
  claim(id: string, window: string): Promise<Draft | undefined>;
  /** Removes a draft where it is there. */
  remove(id: string): Promise<void>;
}

const summary = 'id, type, record, title, base_version, "window", saved';

/** The drafts in the workspace database; each call is one statement or one transaction. */
export function draftStore(database: SqliteDatabase, clock: () => number): DraftStore {
  const all = database.prepare<unknown[], SummaryRow>(
    `SELECT ${summary} FROM draft ORDER BY saved DESC, rowid DESC`,
  );
  const byId = database.prepare<unknown[], DraftRow>('SELECT * FROM draft WHERE id = ?');
  const upsert = database.prepare(
    `INSERT INTO draft (id, type, record, title, base_version, base, text, "window", saved)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET title = excluded.title, base_version = excluded.base_version,
       base = excluded.base, text = excluded.text, saved = excluded.saved`,
  );
  const hand = database.prepare('UPDATE draft SET "window" = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM draft WHERE id = ?');

  function store(id: string, draft: DraftSave): DraftSummary | DraftRefusal {
    const held = byId.get(id);
    if (held && held.window !== draft.window) return 'claimed';
    const version = draft.baseVersion ?? null;
    const known = held?.base_version === version ? held.base : undefined;
    const base = draft.base === undefined ? known : JSON.stringify(draft.base);
    if (base === undefined) return 'base-needed';
    const { type, recordId, title, window } = draft;
    upsert.run(id, type, recordId, title, version, base, JSON.stringify(draft.text), window, clock());
    const row = byId.get(id);
    if (!row) throw new Error('The draft is not there after it was written.');
    return summaryOf(row);
  }

  return {
    list: () => Promise.resolve(all.all().map(summaryOf)),
    read: (id) => Promise.resolve(draftOf(byId.get(id))),
    save: (id, draft) => Promise.resolve(database.transaction(() => store(id, draft)).immediate()),
    claim(id, window) {
      hand.run(window, id);
      return Promise.resolve(draftOf(byId.get(id)));
    },
    remove(id) {
      remove.run(id);
      return Promise.resolve();
    },
  };
}

function summaryOf({ id, type, record, title, base_version, window, saved }: SummaryRow): DraftSummary {
  if (!isResourceType(type)) throw new Error('A draft is of a type that is not offered.');
  return {
    id,
    type,
    recordId: record,
    title,
    ...(base_version !== null && { baseVersion: base_version }),
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
