import Database from 'better-sqlite3';
import express from 'express';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';
import { withOwnErrors } from '../store/sqlite/own-errors.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { errorHandler } from './reply.ts';

let folder: string;
let database: SqliteDatabase;
let server: Server;
let thrown: unknown;
const lines: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-reply-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  const app = express();
  app.use((_request, response) => {
    response.locals.requestId = 'r-1';
    throw thrown;
  });
  app.use(
    errorHandler(
      (line) => lines.push(line),
      () => undefined,
    ),
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => {
  server.close();
  database.close();
  rmSync(folder, { recursive: true });
});

async function answerTo(fault: unknown) {
  thrown = fault;
  lines.length = 0;
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { status: answer.status, headers: answer.headers, json: await answer.json() };
}

/** What leaves a store whose driver threw it. */
function asStoreSays(fault: unknown): unknown {
  const part = {
    fail() {
      throw fault;
    },
  };
  try {
    withOwnErrors(part).fail();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

/** What the driver throws where another one holds the lock. */
function lockFault(): unknown {
  try {
    openDatabase(join(folder, 'records.db'), recordMigrations).close();
  } catch (error) {
    if (error instanceof DataFolderError) return error.cause;
  }
  throw new Error('The database was opened twice.');
}

test('row 78: a busy database is 503 lock-error with Retry-After', async () => {
  const { status, headers, json } = await answerTo(asStoreSays(lockFault()));
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(json).toMatchObject({
    resourceType: 'OperationOutcome',
    id: 'r-1',
    issue: [{ severity: 'error', code: 'lock-error' }],
  });
  expect(lines).toEqual([]);
});

test('row 78: a fault of the server is 500 exception, and its log has the request and no message', async () => {
  const { status, json } = await answerTo(new TypeError('canary: Jane Doe'));
  expect(status).toBe(500);
  expect(json).toMatchObject({ id: 'r-1', issue: [{ code: 'exception' }] });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('request r-1 failed: TypeError');
  expect(JSON.stringify(json) + lines.join()).not.toContain('canary');
});

test.each([
  ['SQLITE_IOERR_FSYNC', 503, 'StoreDiskError'],
  ['SQLITE_IOERR_READ', 503, 'StoreDiskError'],
  ['SQLITE_FULL', 507, 'StoreFullError'],
])('item 9: %s is %i no-store, told in the log without its message', async (code, expected, name) => {
  const { status, headers, json } = await answerTo(
    asStoreSays(new Database.SqliteError('canary: Jane Doe', code)),
  );
  expect([status, headers.get('retry-after')]).toEqual([expected, '1']);
  expect(json).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'no-store' }] });
  expect(lines).toEqual([expect.stringContaining(`request r-1 failed: ${name} ${code}`)]);
  expect(JSON.stringify(json) + lines.join()).not.toContain('canary');
});
