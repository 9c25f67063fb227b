/** What tests of a PostgreSQL store share that several servers write: stores over it, and transactions that are held open. */
import { beforeEach, expect } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import { indexRows } from '../../../core/fhir/index-rows.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { scan } from '../../../core/json/scan.ts';
import { emptied, type TestDatabase } from '../../testing/postgres.ts';
import type { CheckVerdict } from '../check-store.ts';
import { readAddress } from '../postgres/address.ts';
import { Postgres, type Session } from '../postgres/connection.ts';
import { openPostgresStore, type PostgresStore } from '../postgres/postgres-store.ts';
import type { NewVersion } from '../store.ts';

/** When everything is judged. */
export const now = Date.UTC(2026, 0, 1, 12);

/** A check, and what it finds in every record. */
export const titled = { id: 'titled', type: 'Composition', stamp: 'a' } as const;
export const issue: IssueRow = {
  ...{ rule: 'my/titled', severity: 'warning', category: 'completeness', pointer: '' },
};
export const broken: CheckVerdict = { is: 'broken', issues: [issue] };

export function version(id: string, number = 1, issues: readonly IssueRow[] = []): NewVersion {
  const subject = { reference: 'Patient/p' };
  const text = JSON.stringify({ resourceType: 'Composition', id, status: 'final', title: 'Bad', subject });
  return {
    ...{ type: 'Composition', id, version: number, text, issues, author: 'test' },
    ...{ lastUpdated: '2026-01-01T00:00:00.000Z', operation: number === 1 ? 'create' : 'update' },
    index: indexRows('Composition', scan(text).root),
  };
}

/** Stores a record as another program's server does, without index rows: `$1` is its id, `$2` its text. */
export const insertText = `WITH r AS (INSERT INTO record (type, id, version, current, sort_date, status, title)
    VALUES ('Composition', $1, 1, nextval('version_pk'), 0, '', '') RETURNING pk, current),
  u AS (INSERT INTO updated SELECT pk, 'Composition', '2026', $1 FROM r)
  INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
    sha256, crc32, body)
  SELECT current, pk, 'Composition', $1, 1, '2026', 0, '', '', 'create', '', sha256($2::text::bytea), 0, $2 FROM r`;

/** For each test an empty store, and the servers that it opens. */
export function serversOf(database: TestDatabase | undefined) {
  const { server = '', admin } = database ?? {};
  const opened: PostgresStore[] = [];
  const close = async () => {
    for (const store of opened.splice(0)) await store.close();
  };
  beforeEach(async () => {
    if (database) await emptied(database);
    return close;
  });

  return {
    close,

    async open(of: readonly Derivation[] = derivations): Promise<PostgresStore> {
      const store = await openPostgresStore(server, undefined, of);
      opened.push(store);
      return store;
    },

    /** Rows of a statement by one who may do everything. */
    async rows(text: string): Promise<readonly unknown[]> {
      return (
        (await admin?.((client) => client.query(`SET search_path = chartkeeper; ${text}`).then(lastOf))) ?? []
      );
    },

    /** A transaction that is held open: whoever calls what it answers has it committed. */
    async held(work: (session: Session) => Promise<unknown>): Promise<() => Promise<void>> {
      const slow = new Postgres(readAddress(server), 1);
      const [begun, end] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
      const done = slow.transaction(async (session) => {
        await work(session);
        begun.resolve(true);
        await end.promise;
      });
      await Promise.race([begun.promise, done]);
      return async () => {
        end.resolve(true);
        await done;
        await slow.close();
      };
    },

    /** Resolves once a server waits for a lock. */
    async somebodyWaits(): Promise<void> {
      const text = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = 'server'";
      const waiting = async () => (await this.rows(text)).length;
      await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
    },
  };
}

function lastOf(result: unknown): readonly unknown[] {
  const last = (Array.isArray(result) ? result.at(-1) : result) as { readonly rows: readonly unknown[] };
  return last.rows;
}

/** Asks the checks of all that they are to be asked of, and finds each broken; answers the records' ids. */
export async function askAll(store: PostgresStore): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const slice = await store.checks.next();
    if (!slice) return ids;
    for (const { text = '' } of slice.records) ids.push((JSON.parse(text) as { id: string }).id);
    const verdicts = slice.records.map(() =>
      slice.checks.map(({ retired }): CheckVerdict => (retired ? { is: 'none' } : broken)),
    );
    await store.checks.write(slice, verdicts, new Set(), dayNumber(now));
  }
}

/** Makes all anew that is to be. */
export async function settled(store: PostgresStore): Promise<void> {
  while (await store.derived.step({ now, milliseconds: 5 }));
}

export async function rulesOf(store: PostgresStore, id: string): Promise<string[]> {
  const found = await store.issues({ group: { by: 'record', key: `Composition/${id}` } }, undefined, 99);
  return found.map(({ rule }) => rule);
}
