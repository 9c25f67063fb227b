/** Temporary files of imports lie in the data folder, and a start removes what a killed process left. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

test('writes a large body and its report to the data folder, and removes both', async () => {
  const spool = join(server.dataDir, 'spool');
  const plan = (index: number) =>
    `{"resourceType":"CarePlan","id":"p${index}","status":"active","intent":"plan","note":[{"text":"${'x'.repeat(200_000)}"}]}`;
  const seen = new Set<string>();
  const lines = Array.from({ length: 90 }, (_, index) => plan(index));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const line = lines.shift();
      for (const name of existsSync(spool) ? readdirSync(spool) : []) seen.add(name);
      if (line === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(`${line}\n`));
      await Promise.resolve();
    },
  });
  const response = await fetch(`${server.origin}/app/import?level=off`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/ndjson' },
  });
  expect(await response.text()).toContain('"stored":90');
  expect([...seen].length).toBeGreaterThan(0);
  expect(statSync(spool).mode & 0o777).toBe(0o700);
  expect(readdirSync(spool)).toEqual([]);
});

test('removes at its start what a killed import left', async () => {
  const left = join(server.dataDir, 'spool', 'import-left');
  await server.close();
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'spool'), '{"resourceType":"Patient"}');
  await server.restart();
  expect(existsSync(left)).toBe(false);
});
