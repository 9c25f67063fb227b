import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupPath, replacedPath } from './backup-folder.ts';
import { isMissing } from './missing.ts';
import { connect } from './sqlite.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-missing-'));
  path = join(folder, 'records.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function makeWorkspace(head: string): void {
  const database = connect(join(folder, 'workspace.db'));
  database.exec(`CREATE TABLE trail_head (seq INTEGER NOT NULL) STRICT; ${head}`);
  database.close();
}

function write(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'x');
}

test.each<[string, () => void]>([
  ['a backup', () => write(backupPath(path, 'timed'))],
  ['what a restore replaced', () => write(replacedPath(path))],
  ['their log', () => write(`${path}-wal`)],
  ['a workspace that knows the end of their trail', () => makeWorkspace('INSERT INTO trail_head VALUES (7)')],
])('reports missing records next to %s', (_description, createFile) => {
  createFile();
  expect(isMissing(path)).toBe(true);
  writeFileSync(path, '');
  expect(isMissing(path)).toBe(false);
});

test.each<[string, () => void]>([
  ['nothing', () => undefined],
  ['an empty log', () => writeFileSync(`${path}-wal`, '')],
  ['a workspace that knows of none', () => makeWorkspace('')],
  ['a workspace that cannot be read', () => write(join(folder, 'workspace.db'))],
])('reports a new folder next to %s', (_description, createFile) => {
  createFile();
  expect(isMissing(path)).toBe(false);
});
