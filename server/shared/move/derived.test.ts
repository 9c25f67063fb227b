/** Rows that a move derives from texts, and rows about findings that it copies. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../sqlite/sqlite.ts';
import {
  readResponses,
  auditKey,
  listProblems,
  fill,
  Places,
  withServer,
} from '../../testing/moved-store.ts';
import { postgresPrograms, type TestDatabase } from '../../testing/postgres.ts';
import { tamper } from '../../testing/tamper.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { report: (message: string) => expect.fail(message), reportProgress: () => undefined };

/** Columns that both engines have, in their sort order. */
const tables = [
  'finding_end: ended, since, rule, type, findings',
  'measure: day, rule, type, applied, violated, skipped, findings',
  'finding_state: record, rule, pointer, assignee, waived, until, note, who, time',
  'issue: record, rule, severity, category, pointer, since',
  'numbering: taken',
].map((table) => table.split(': ') as [name: string, columns: string]);

function rowsIn(folder: string): unknown[] {
  const database = connect(join(folder, 'records.db'), { readonly: true });
  const rows = tables.map(([name, columns]) =>
    database.prepare<unknown[], unknown[]>(`SELECT ${columns} FROM ${name} ORDER BY ${columns}`).raw().all(),
  );
  database.close();
  return rows;
}

async function rowsOf({ admin }: TestDatabase): Promise<unknown[]> {
  return admin(async (client) => {
    await client.query('SET search_path = chartkeeper');
    const rows: unknown[] = [];
    for (const [name, columns] of tables) {
      const text = `SELECT ${columns} FROM ${name} ORDER BY ${columns}`;
      const result = await client.query<unknown[]>({ text, rowMode: 'array' });
      // The driver returns 64-bit numbers as text.
      rows.push(
        result.rows.map((row) => row.map((cell) => (/^\d+$/.test(String(cell)) ? Number(cell) : cell))),
      );
    }
    return rows;
  });
}

describe.skipIf(!postgresPrograms())('derived rows (not run where PostgreSQL is not installed)', () => {
  test('moves start days, ended findings, daily counts and used version numbers', async () => {
    const [source, store, back] = [places.folder(), await places.store(), places.folder()];
    await withServer(source, fill);
    const agedRowsSql = `UPDATE issue SET since = 20000 WHERE rule = 'schema-code';
      INSERT INTO finding_end VALUES (20001, 20000, 'schema-code', 'CarePlan', 3);
      INSERT INTO measure VALUES (20001, 'schema-code', 'CarePlan', 5, 4, 0, 6);
      INSERT INTO issue (pk, rule, severity, category, pointer, since)
        SELECT (pk << 22) + 77, 'narrative-stale', 'warning', 'consistency', '/text', 20002 FROM record LIMIT 1;
      UPDATE numbering SET taken = 7; INSERT INTO numbering SELECT 7 WHERE NOT EXISTS (SELECT 1 FROM numbering)`;
    tamper(join(source, 'records.db'), agedRowsSql);
    await move({ from: source, to: store.keeper, key: auditKey }, quiet);
    expect(await rowsOf(store)).toEqual(rowsIn(source));
    await move({ from: store.address, to: back, key: auditKey }, quiet);
    expect(rowsIn(back)).toEqual(rowsIn(source));
    await withServer(back, async ({ ask }) => {
      const { id } = await ask(
        'POST',
        '/fhir-r4/v1/CarePlan',
        '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p"}}',
      );
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${id}`)).meta.versionId).toBe('1');
    });
  });

  test('derives index rows and findings from texts and ignores the stored rows', async () => {
    const [source, store, back] = [places.folder(), await places.store(), places.folder()];
    await withServer(source, fill);
    const before = await withServer(source, readResponses);
    const searches = Object.keys(before).filter((path) => /\?.*(status|subject|_sort)=/.test(path));
    const spoilSql = `DELETE FROM token; DELETE FROM reference; UPDATE record SET sort_date = 0, title = 'x', status = 'x';
      UPDATE version SET title = 'x'; DELETE FROM issue WHERE rule = 'schema-required';
      INSERT INTO issue (pk, rule, severity, category, pointer, since)
        SELECT (pk << 22) + 99, 'schema-code', 'error', 'conformance', '/never', 20000 FROM record LIMIT 1`;
    tamper(join(source, 'records.db'), spoilSql);
    // Stopped during the derivation, the move resumes there, although compared rows have changed.
    const stopAtIndexing = (_done: number, _total: number, unit: string) => {
      if (unit === 'records indexed') throw new Error('Stopped.');
    };
    const moveResult = move(
      { from: source, to: store.keeper, key: auditKey },
      { ...quiet, reportProgress: stopAtIndexing },
    );
    await expect(moveResult).rejects.toThrow('Stopped.');
    await move({ from: source, to: store.keeper, key: auditKey }, quiet);
    const findingsOf = (answersByPath: typeof before) =>
      JSON.stringify(answersByPath['/app/quality/findings']);
    const compare = (answersByPath: typeof before) => {
      for (const path of searches) expect(answersByPath[path]).toEqual(before[path]);
      expect(findingsOf(answersByPath)).not.toContain('/never');
      expect(findingsOf(answersByPath)).toContain('schema-required');
    };
    compare(await withServer(store.address, readResponses));
    await move({ from: store.address, to: back, key: auditKey }, quiet);
    compare(await withServer(back, readResponses));
    expect(await listProblems(back)).toEqual([]);
  });
});
