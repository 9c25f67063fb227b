import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import { manifest, tgzOf, valueSet } from './testing/make-package.ts';

test('a package of 10,000 files is read', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const many = Array.from({ length: 10_000 }, (_, at) => [
    `package/ValueSet-${at}.json`,
    { ...valueSet, url: `https://ward.example/ValueSet/${at}` },
  ]);
  const body = await tgzOf({ 'package/package.json': manifest(), ...Object.fromEntries(many) });
  const answer = await fetch(`${server.origin}/app/packages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/gzip' },
    body: new Uint8Array(body),
  });
  expect([answer.status, await answer.json()]).toEqual([
    201,
    expect.objectContaining({ counts: expect.objectContaining({ ValueSet: 10_000 }) }),
  ]);
});
