/** Helpers for tests of several servers that write to one PostgreSQL store: opened stores, and open transactions. */
import { beforeEach, expect } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { openTransaction } from '../../testing/held-transaction.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptyStore, type TestDatabase } from '../../testing/postgres.ts';
import type { CheckResult } from '../check-store.ts';
import type { Session } from '../../shared/postgres/connection.ts';
import { openPostgresStore, type PostgresStore } from '../../shared/postgres/postgres-store.ts';

/** Time at which all records are validated. */
export const now = Date.UTC(2026, 0, 1, 12);

/** A check, and its finding in every record. */
export const titled = { id: 'titled', type: 'Composition', stamp: 'a' } as const;
export const issue: IssueRow = {
  rule: 'my/titled',
  severity: 'warning',
  category: 'completeness',
  pointer: '',
};
export const brokenVerdict: CheckResult = { is: 'broken', issues: [issue] };

export const version = (id: string, number = 1, issues: readonly IssueRow[] = []) =>
  newComposition(id, number, { title: 'Bad', subject: { reference: 'Patient/p' } }, issues);

/** Creates an empty store for each test, and the servers that the test opens. */
export function serversOf(database: TestDatabase | undefined) {
  const { address = '', admin } = database ?? {};
  const openStores: PostgresStore[] = [];
  const close = async () => {
    for (const store of openStores.splice(0)) await store.close();
  };
  beforeEach(async () => {
    if (database) await emptyStore(database);
    return close;
  });

  return {
    close,

    async open(derivationList: readonly Derivation[] = derivations): Promise<PostgresStore> {
      const store = await openPostgresStore(address, undefined, derivationList);
      openStores.push(store);
      return store;
    },

    /** Runs a statement as the administrator and returns its rows. */
    async rows(text: string): Promise<readonly unknown[]> {
      return (
        (await admin?.((client) =>
          client.query(`SET search_path = chartkeeper; ${text}`).then(getLastResult),
        )) ?? []
      );
    },

    /** Opens a transaction and keeps it open. The returned function commits it. */
    held: (work: (session: Session) => Promise<unknown>) => openTransaction(address, work),

    /** Resolves once a server waits for a lock. */
    async somebodyWaits(): Promise<void> {
      const text = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = 'server'";
      const countWaiting = async () => (await this.rows(text)).length;
      await expect.poll(countWaiting, { interval: 10 }).toBeGreaterThan(0);
    },
  };
}

function getLastResult(result: unknown): readonly unknown[] {
  const lastResult = (Array.isArray(result) ? result.at(-1) : result) as {
    readonly rows: readonly unknown[];
  };
  return lastResult.rows;
}

/** Runs all due checks and reports each as failed. Returns the ids of the records. */
export async function askAll(store: PostgresStore): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const batch = await store.checks.next();
    if (!batch) return ids;
    for (const { text = '' } of batch.records) ids.push((JSON.parse(text) as { id: string }).id);
    const verdicts = batch.records.map(() =>
      batch.checks.map(({ isRetired }): CheckResult => (isRetired ? { is: 'none' } : brokenVerdict)),
    );
    await store.checks.write(batch, verdicts, new Set(), dayNumber(now));
  }
}

/** Runs all due rebuild steps. */
export async function completeRebuild(store: PostgresStore): Promise<void> {
  while (await store.derived.runSlice({ now, milliseconds: 5 }));
}

export async function rulesOf(store: PostgresStore, id: string): Promise<string[]> {
  const issues = await store.issues(
    { group: { grouping: 'record', key: `Composition/${id}` } },
    undefined,
    99,
  );
  return issues.map(({ rule }) => rule);
}
