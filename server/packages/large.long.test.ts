import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import { manifest, tgzOf, valueSet } from './testing/make-package.ts';

test('reads a package of 10,000 files', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const manyFiles = Array.from({ length: 10_000 }, (_, index) => [
    `package/ValueSet-${index}.json`,
    { ...valueSet, url: `https://ward.example/ValueSet/${index}` },
  ]);
  const body = await tgzOf({ 'package/package.json': manifest(), ...Object.fromEntries(manyFiles) });
  const response = await fetch(`${server.origin}/app/packages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/gzip' },
    body: new Uint8Array(body),
  });
  expect([response.status, await response.json()]).toEqual([
    201,
    expect.objectContaining({ counts: expect.objectContaining({ ValueSet: 10_000 }) }),
  ]);
});
