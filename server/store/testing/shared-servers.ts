/** What tests of a PostgreSQL store share that several servers write: stores over it, and transactions that are held open. */
import { beforeEach, expect } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { heldTransaction } from '../../testing/held-transaction.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptied, type TestDatabase } from '../../testing/postgres.ts';
import type { CheckVerdict } from '../check-store.ts';
import type { Session } from '../postgres/connection.ts';
import { openPostgresStore, type PostgresStore } from '../postgres/postgres-store.ts';

/** When everything is judged. */
export const now = Date.UTC(2026, 0, 1, 12);

/** A check, and what it finds in every record. */
export const titled = { id: 'titled', type: 'Composition', stamp: 'a' } as const;
export const issue: IssueRow = {
  ...{ rule: 'my/titled', severity: 'warning', category: 'completeness', pointer: '' },
};
export const broken: CheckVerdict = { is: 'broken', issues: [issue] };

export const version = (id: string, number = 1, issues: readonly IssueRow[] = []) =>
  newComposition(id, number, { title: 'Bad', subject: { reference: 'Patient/p' } }, issues);

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
    held: (work: (session: Session) => Promise<unknown>) => heldTransaction(server, work),

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
