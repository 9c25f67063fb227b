/**
 * Writes databases of the latest schemas into server/store/sqlite/fixtures, each with a list of its content:
 * `node server/testing/make-fixtures.ts`. Run once before each release that changes a schema. An existing fixture stays
 * unchanged, because released schemas never change.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateClinic } from '../demo/generate.ts';
import { generateMigration } from '../demo/migration.ts';
import { createService } from '../fhir/service.ts';
import { localServer } from '../workspace/server-key.ts';
import { openWorkspace, workspaceMigrations, type Workspace } from '../workspace/workspace.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { connect } from '../sqlite/sqlite.ts';
import { recordsIn, workIn } from './stored-content.ts';
import type { RecordStore } from '../store/store.ts';

const fixtures = resolve(import.meta.dirname, '../store/sqlite/fixtures');
const clock = () => Date.UTC(2026, 10, 1);

/** Stores records of the seeded clinics; some have defects, some have two versions. */
async function fillRecords(store: RecordStore): Promise<unknown> {
  const newId = () => 'unused';
  const service = createService({ store, clock, newId, level: 'off', requireIfMatch: false });
  const author = 'fixture';
  const faulty = [...generateMigration()].filter(({ defect }) => defect).slice(0, 4);
  const records = [...generateClinic({ patients: 1 }), ...faulty];
  for (const { type, text } of records) await service.importRecord({ type, text, author, keepIds: true });
  const authorship = { author, person: 'Robin Steward', reason: 'The title was wrong.' };
  for (const { type, id, text } of records.slice(0, 3)) {
    await service.update({ type, id, ...authorship, text: text.replace('"title":"', '"title":"Again: ') });
  }
  const { keys } = await store.findings.keys({}, undefined, 2);
  const newState = { set: 'waived', reason: 'The ward agreed.' } as const;
  await store.findings.say(keys, { newState, actor: { who: author, requestId: '' }, now: clock() });
  await store.checks.settle([{ id: 'titled', type: 'CarePlan', stamp: 'fixture' }]);
  return recordsIn(store);
}

async function fillWorkspace(workspace: Workspace): Promise<unknown> {
  const draft = {
    type: 'CarePlan',
    recordId: 'one',
    title: 'One',
    window: 'w',
    text: '{',
    base: '{}',
  } as const;
  const query = { type: 'CarePlan', pairs: [['status', 'active']] } as const;
  await workspace.changePreferences({ theme: 'dark' });
  await workspace.saveSession(localServer, { tabs: [], active: -1, recent: [] });
  await workspace.tokens.mint({ name: 'steward', scopes: ['system/*.r'] });
  await workspace.drafts.save(localServer, 'draft', draft);
  workspace.checks.put(
    {
      id: 'titled',
      title: 'A plan has a title',
      type: 'CarePlan',
      holds: 'title.exists()',
      category: 'completeness',
      severity: 'warning',
      active: true,
    } as const,
    'fixture',
  );
  await workspace.searches.noteRecent(localServer, query);
  await workspace.searches.save(localServer, 'Active plans', query);
  await workspace.connections.add({
    name: 'Ward',
    baseUrl: 'https://fhir.example.org/r4',
    colour: 'blue',
    mode: 'read-only',
    authentication: { kind: 'none' },
    proxy: { kind: 'default' },
    timeoutSeconds: 30,
    encounterParameter: 'encounter',
    patchType: 'application/json-patch+json',
  });
  const run = await workspace.bulk.create(localServer, {
    label: 'All CarePlans',
    operations: [{ path: '/status', value: '"active"', now: '1.00' }],
  });
  const target = { type: 'CarePlan', title: 'One', etag: 'W/"3"', version: 3 } as const;
  await workspace.bulk.save(run?.id ?? '', [
    { ...target, place: 0, id: 'one', state: 'done', before: { version: 2, etag: 'W/"2"' } },
    { ...target, place: 1, id: 'two', state: 'failed', detail: 'Refused.' },
  ]);
  const { id } = workspace.people.add('Robin Steward');
  workspace.people.keepLast('owner', id);
  await workspace.activity.add({ kind: 'import', note: '3 records imported', counts: { stored: 3 } });
  return workIn(workspace);
}

/** Writes `NAME-vN.db` and the list of its content, `NAME-vN.json`. */
async function make(name: string, version: number, fill: (path: string) => Promise<unknown>): Promise<void> {
  const target = join(fixtures, `${name}-v${version}`);
  if (existsSync(`${target}.db`)) return;
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-fixture-'));
  const path = join(folder, `${name}.db`);
  writeFileSync(`${target}.json`, `${JSON.stringify(await fill(path), null, 2)}\n`);
  const database = connect(path);
  database.prepare('VACUUM INTO ?').run(`${target}.db`);
  database.close();
  rmSync(folder, { recursive: true });
}

await make('records', recordMigrations.length, async (path) => {
  const store = await openRecordStore(path);
  const content = await fillRecords(store);
  await store.close();
  return content;
});
await make('workspace', workspaceMigrations.length, async (path) => {
  const workspace = await openWorkspace(path, clock);
  const content = await fillWorkspace(workspace);
  await workspace.close();
  return content;
});
