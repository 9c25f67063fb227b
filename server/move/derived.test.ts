/** What a move makes anew of the texts, and what it brings of findings that no text tells. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../store/sqlite/sqlite.ts';
import { answersOf, auditKey, damageIn, fill, Places, served } from '../testing/moved-store.ts';
import { postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { tamper } from '../testing/tamper.ts';
import { move } from './move.ts';

const places = new Places();
afterAll(() => places.remove());

const quiet = { say: (sentence: string) => expect.fail(sentence), reached: () => undefined };

/** Columns of tables that both engines have, in an order of their own. */
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
      const found = await client.query<unknown[]>({ text, rowMode: 'array' });
      // The driver's own reading of 64-bit numbers is text.
      rows.push(
        found.rows.map((row) => row.map((cell) => (/^\d+$/.test(String(cell)) ? Number(cell) : cell))),
      );
    }
    return rows;
  });
}

describe.skipIf(!postgresPrograms())('what is derived (not run where PostgreSQL is not installed)', () => {
  test('since when findings stand, what ended, what days came to and which numbers were given come along', async () => {
    const [source, store, back] = [places.folder(), await places.store(), places.folder()];
    await served(source, fill);
    const aged = `UPDATE issue SET since = 20000 WHERE rule = 'schema-code';
      INSERT INTO finding_end VALUES (20001, 20000, 'schema-code', 'CarePlan', 3);
      INSERT INTO measure VALUES (20001, 'schema-code', 'CarePlan', 5, 4, 0, 6);
      INSERT INTO issue (pk, rule, severity, category, pointer, since)
        SELECT (pk << 22) + 77, 'narrative-stale', 'warning', 'consistency', '/text', 20002 FROM record LIMIT 1;
      UPDATE numbering SET taken = 7; INSERT INTO numbering SELECT 7 WHERE NOT EXISTS (SELECT 1 FROM numbering)`;
    tamper(join(source, 'records.db'), aged);
    await move({ from: source, to: store.keeper, key: auditKey }, quiet);
    expect(await rowsOf(store)).toEqual(rowsIn(source));
    await move({ from: store.server, to: back, key: auditKey }, quiet);
    expect(rowsIn(back)).toEqual(rowsIn(source));
    await served(back, async ({ ask }) => {
      const { id } = await ask(
        'POST',
        '/fhir-r4/v1/CarePlan',
        '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p"}}',
      );
      expect((await ask('GET', `/fhir-r4/v1/CarePlan/${id}`)).meta.versionId).toBe('1');
    });
  });

  test('what records are found by, and what is wrong with them, is made of the texts, whatever stood beside them', async () => {
    const [source, store, back] = [places.folder(), await places.store(), places.folder()];
    await served(source, fill);
    const before = await served(source, answersOf);
    const searches = Object.keys(before).filter((path) => /\?.*(status|subject|_sort)=/.test(path));
    const spoilt = `DELETE FROM token; DELETE FROM reference; UPDATE record SET sort_date = 0, title = 'x', status = 'x';
      UPDATE version SET title = 'x'; DELETE FROM issue WHERE rule = 'schema-required';
      INSERT INTO issue (pk, rule, severity, category, pointer, since)
        SELECT (pk << 22) + 99, 'schema-code', 'error', 'conformance', '/never', 20000 FROM record LIMIT 1`;
    tamper(join(source, 'records.db'), spoilt);
    // Stopped in the middle of that it goes on there: what was compared is another by now.
    const stopping = (_done: number, _total: number, unit: string) => {
      if (unit === 'records indexed') throw new Error('Stopped.');
    };
    const stopped = move({ from: source, to: store.keeper, key: auditKey }, { ...quiet, reached: stopping });
    await expect(stopped).rejects.toThrow('Stopped.');
    await move({ from: source, to: store.keeper, key: auditKey }, quiet);
    const findingsOf = (of: typeof before) => JSON.stringify(of['/app/quality/findings']);
    const compare = (of: typeof before) => {
      for (const path of searches) expect(of[path]).toEqual(before[path]);
      expect(findingsOf(of)).not.toContain('/never');
      expect(findingsOf(of)).toContain('schema-required');
    };
    compare(await served(store.server, answersOf));
    await move({ from: store.server, to: back, key: auditKey }, quiet);
    compare(await served(back, answersOf));
    expect(await damageIn(back)).toEqual([]);
  });
});
