import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../sqlite/sqlite.ts';
import { openWorkspace } from './workspace.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-colours-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Reads the colors as stored. */
function coloursIn(path: string): unknown {
  const database = connect(path, { readonly: true });
  const colours = database.prepare(`SELECT settings ->> 'colour' FROM connection ORDER BY seq`).pluck().all();
  database.close();
  return colours;
}

test('migrates renamed colors of an older workspace and keeps the others', async () => {
  const path = join(folder, 'workspace.db');
  copyFileSync(resolve(import.meta.dirname, '../store/sqlite/fixtures/workspace-v8.db'), path);
  const database = connect(path);
  database.exec(`
    INSERT INTO connection (id, name, settings)
      SELECT 'clinic', 'Clinic', json_set(settings, '$.name', 'Clinic', '$.colour', 'grape') FROM connection;
  `);
  database.close();

  const workspace = await openWorkspace(path);
  const [ward, clinic] = await workspace.connections.list();
  await workspace.close();
  expect(ward).toMatchObject({ name: 'Ward', colour: 'blue', timeoutSeconds: 30 });
  expect(clinic).toEqual({ ...ward, id: 'clinic', name: 'Clinic', colour: 'purple' });
  expect(coloursIn(path)).toEqual(['blue', 'purple']);
});
