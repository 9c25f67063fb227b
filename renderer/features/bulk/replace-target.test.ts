import { expect, test } from 'vitest';
import { createClient } from '../../../core/api/client.ts';
import { applyPatch } from '../../../core/fhir/patch.ts';
import { print } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import { examineTarget, replacing, sendTarget } from './replace-target.ts';
import type { WorkOptions } from './target-work.ts';

const plan = (version: number, status: string, rest = '') =>
  `{"resourceType":"CarePlan","id":"a","meta":{"versionId":"${version}"},"status":"${status}","intent":"plan","subject":{"reference":"Patient/p"}${rest}}`;

/** A server with the versions of one plan; `fault` is what it answers a read with, or that its next write is not answered. */
function serverOf(versions: string[]) {
  const server = { versions, fault: undefined as 404 | 'no answer' | undefined };
  const answer = (status: number, body: string, version = versions.length) => ({
    status,
    headers: { get: (name: string) => (name === 'ETag' ? `W/"${version}"` : null) },
    text: () => Promise.resolve(body),
  });
  const client = createClient({
    base: '',
    fetch: (address, { method, headers, body = '' }) => {
      if (method === 'GET') {
        const number = Number(address.split('/_history/')[1] ?? versions.length);
        return Promise.resolve(
          server.fault === 404 ? answer(404, '{}') : answer(200, versions[number - 1] ?? '', number),
        );
      }
      if (headers['If-Match'] !== `W/"${versions.length}"`) return Promise.resolve(answer(412, '{}'));
      const stored = patched(versions.at(-1) ?? '', versions.length + 1, body);
      versions.push(stored);
      return server.fault === 'no answer'
        ? Promise.reject(new TypeError('No answer came.'))
        : Promise.resolve(answer(200, stored));
    },
  });
  return Object.assign(server, { client });
}

function patched(before: string, version: number, operations: string): string {
  const { root } = scan(before.replace(/"versionId":"\d+"/, `"versionId":"${version}"`));
  if (root.kind !== 'object') throw new TypeError('No record is stored.');
  applyPatch(root, 'CarePlan', scan(operations).root);
  return print(root);
}

const optionsOf = ({ client }: ReturnType<typeof serverOf>): WorkOptions => ({
  client,
  operations: [{ path: '/status', value: '"active"', now: '"draft"' }],
  judge: { level: 'standard', today: '2026-01-01', compute: () => Promise.resolve([]) },
});
const waiting: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

test('a change is sent for the version that was looked at, and done once', async () => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waiting, optionsOf(server));
  expect(ready).toMatchObject({ state: 'ready', version: 1 });
  expect(await sendTarget(ready, optionsOf(server))).toMatchObject({
    ...{ state: 'done', version: 2, before: { version: 1 } },
  });
  expect(server.versions).toEqual([plan(1, 'draft'), plan(2, 'active')]);
});

test.each([
  ['may still be changed', plan(2, 'draft', ',"title":"Theirs"'), 'changed', text.bulk.meanwhile(2)],
  ['is not to be changed any more', plan(2, 'on-hold'), 'unchanged', undefined],
])('what somebody else wrote is not overwritten, where the record %s', async (_, theirs, state, detail) => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waiting, optionsOf(server));
  const kept: Target = { ...waiting, ...{ state: 'ready', version: 1, etag: 'W/"1"' } };
  server.versions.push(theirs);
  // As it was looked at in this run, and as a run that is taken up again knows it.
  for (const target of [ready, kept]) {
    const sent = await sendTarget(target, optionsOf(server));
    expect(sent).toMatchObject({ state, version: 2, ...(detail !== undefined && { detail }) });
  }
  expect(server.versions).toHaveLength(2);
});

test('a write whose answer was lost is found again as done, and is not sent twice', async () => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waiting, optionsOf(server));
  server.fault = 'no answer';
  await expect(sendTarget(ready, optionsOf(server))).rejects.toThrow(TypeError);
  server.fault = undefined;
  for (const take of [sendTarget, replacing.settle]) {
    const found = await take(ready, optionsOf(server));
    expect(found).toMatchObject({ state: 'done', version: 2, before: { version: 1 } });
  }
  expect(server.versions).toHaveLength(2);
});

test('of an interrupted run what was not written is left as it was', async () => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waiting, optionsOf(server));
  expect(await replacing.settle(ready, optionsOf(server))).toBe(ready);
  server.versions.push(plan(2, 'on-hold'));
  expect(await replacing.settle(ready, optionsOf(server))).toBe(ready);
});

test('a record that cannot be read is not tried, and not sent', async () => {
  const server = serverOf([plan(1, 'draft')]);
  server.fault = 404;
  expect(await examineTarget(waiting, optionsOf(server))).toMatchObject({ state: 'unread' });
  expect(await sendTarget(waiting, optionsOf(server))).toMatchObject({ state: 'failed' });
  expect(server.versions).toHaveLength(1);
});
