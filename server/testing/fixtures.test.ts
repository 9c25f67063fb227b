import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace, workspaceMigrations } from '../workspace/workspace.ts';
import { recordsIn, workIn } from './stored-content.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { connect } from '../sqlite/sqlite.ts';
import { verifyFile } from '../store/sqlite/verify.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-fixture-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const fixtures = resolve(import.meta.dirname, '../store/sqlite/fixtures');
const released = (name: string) => globSync(`${name}-v*.db`, { cwd: fixtures }).sort(byVersion);

const numberIn = (fixture: string) => Number(/\d+/.exec(fixture)?.[0]);
const byVersion = (a: string, b: string) => numberIn(a) - numberIn(b);

/** Copies a fixture; returns its path and the content that it was created with. */
function copyOf(fixture: string): { path: string; content: unknown } {
  const path = join(folder, fixture);
  copyFileSync(join(fixtures, fixture), path);
  const list = join(fixtures, `${basename(fixture, '.db')}.json`);
  return { path, content: JSON.parse(readFileSync(list, 'utf8')) };
}

function versionOf(path: string): unknown {
  const database = connect(path, { readonly: true });
  const version = database.pragma('user_version', { simple: true });
  database.close();
  return version;
}

test.each(released('records'))(
  'migrates %s to the latest schema and preserves every record',
  async (fixture) => {
    const { path, content } = copyOf(fixture);
    const store = await openRecordStore(path);
    const storedRecords = JSON.parse(JSON.stringify(await recordsIn(store))) as unknown;
    const trail = await store.audit.verify();
    await store.close();
    expect(storedRecords).toEqual(content);
    expect(trail.broken).toBeUndefined();
    expect(versionOf(path)).toBe(recordMigrations.length);
  },
);

test.each(released('records'))(
  'rebuilds the derived rows of %s as a new import derives them',
  async (fixture) => {
    const { path } = copyOf(fixture);
    const store = await openRecordStore(path);
    const now = Date.now();
    while (await store.derived.runSlice({ now, milliseconds: 50 }));
    expect((await store.derived.state()).rebuild).toBeUndefined();
    await store.close();
    const problems: string[] = [];
    for await (const { where, problem } of verifyFile(path)) problems.push(`${where} ${problem}`);
    expect(problems).toEqual([]);
  },
);

test.each(released('workspace'))(
  'migrates %s to the latest schema and preserves all work',
  async (fixture) => {
    const { path, content } = copyOf(fixture);
    const workspace = await openWorkspace(path);
    const storedWork = JSON.parse(JSON.stringify(await workIn(workspace))) as unknown;
    await workspace.close();
    expect(storedWork).toMatchObject(content as object);
    expect(versionOf(path)).toBe(workspaceMigrations.length);
  },
);

test('has a fixture of each schema', () => {
  expect(released('records')).toEqual(recordMigrations.map((_, index) => `records-v${index + 1}.db`));
  expect(released('workspace')).toContain(`workspace-v${workspaceMigrations.length}.db`);
});
