import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openDatabase } from './open-database.ts';

// SQLite ignores unsupported settings silently: here, all of them.
vi.mock(import('./connection-settings.ts'), async (original) => ({
  ...(await original()),
  configure: () => undefined,
}));

test('rejects a database with ignored settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-settings-'));
  expect(() => openDatabase(join(folder, 'records.db'), ['CREATE TABLE one (n INTEGER) STRICT;'])).toThrow(
    /can’t be stored safely: locking_mode is normal, exclusive is needed/,
  );
  rmSync(folder, { recursive: true });
});
