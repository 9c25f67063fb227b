import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { DataFolderError } from '../sqlite/data-folder-error.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { mapDriverErrors } from '../sqlite/driver-errors.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import { listenWith } from './testing/api-request.ts';

let folder: string;
let database: SqliteDatabase;
let server: Server;
let errorToThrow: unknown;
const lines: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-reply-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  const listener = listenWith(
    () => {
      throw errorToThrow;
    },
    (line) => lines.push(line),
  );
  server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => {
  server.close();
  database.close();
  rmSync(folder, { recursive: true });
});

async function requestWithError(fault: unknown) {
  errorToThrow = fault;
  lines.length = 0;
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const id = answer.headers.get('x-request-id');
  return { status: answer.status, headers: answer.headers, json: await answer.json(), id };
}

/** Wraps an error of the driver like the store. */
function toStoreError(fault: unknown): unknown {
  const part = {
    fail() {
      throw fault;
    },
  };
  try {
    mapDriverErrors(part).fail();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

/** Returns the driver's error while another connection holds the lock. */
function createLockError(): unknown {
  try {
    openDatabase(join(folder, 'records.db'), recordMigrations).close();
  } catch (error) {
    if (error instanceof DataFolderError) return error.cause;
  }
  throw new Error('The database was opened twice.');
}

// Row 78 of docs/api-rows.md.
test('responds to a busy database with 503, lock-error and Retry-After', async () => {
  const { status, headers, json, id } = await requestWithError(toStoreError(createLockError()));
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(json).toMatchObject({
    resourceType: 'OperationOutcome',
    id,
    issue: [{ severity: 'error', code: 'lock-error' }],
  });
  expect(lines).toEqual([]);
});

// Row 78 of docs/api-rows.md.
test('responds to a server error with 500 and logs the request without the message', async () => {
  const { status, json, id } = await requestWithError(new TypeError('canary: Jane Doe'));
  expect(status).toBe(500);
  expect(json).toMatchObject({ id, issue: [{ code: 'exception' }] });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`request ${id} failed: TypeError`);
  expect(JSON.stringify(json) + lines.join()).not.toContain('canary');
});

// Row 78 of docs/api-rows.md.
test.each([
  ['SQLITE_IOERR_FSYNC', 503, 'StoreDiskError'],
  ['SQLITE_IOERR_READ', 503, 'StoreDiskError'],
  ['SQLITE_FULL', 507, 'StoreFullError'],
])('maps the disk error %s to %i', async (code, expected, name) => {
  const { status, headers, json, id } = await requestWithError(
    toStoreError(new Database.SqliteError('canary: Jane Doe', code)),
  );
  expect([status, headers.get('retry-after')]).toEqual([expected, '1']);
  expect(json).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'no-store' }] });
  expect(lines).toEqual([expect.stringContaining(`request ${id} failed: ${name} ${code}`)]);
  expect(JSON.stringify(json) + lines.join()).not.toContain('canary');
});
