import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openDatabase } from './open-database.ts';

// SQLite keeps silent about a setting that it does not take: here, about all of them.
vi.mock(import('./connection-settings.ts'), async (original) => ({
  ...(await original()),
  configure: () => undefined,
}));

test('a database whose settings were not taken is not opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-settings-'));
  expect(() => openDatabase(join(folder, 'records.db'), ['CREATE TABLE one (n INTEGER) STRICT;'])).toThrow(
    /cannot be kept as safely as it must be: locking_mode is normal, and exclusive is needed/,
  );
  rmSync(folder, { recursive: true });
});
