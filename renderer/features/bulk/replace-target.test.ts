import { expect, test } from 'vitest';
import { createClient } from '../../../core/api/client.ts';
import { applyPatch } from '../../../core/fhir/patch.ts';
import { serializeNode } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import { examineTarget, replacing, sendTarget } from './replace-target.ts';
import type { WorkOptions } from './target-work.ts';

const plan = (version: number, status: string, extraMembers = '') =>
  `{"resourceType":"CarePlan","id":"a","meta":{"versionId":"${version}"},"status":"${status}","intent":"plan","subject":{"reference":"Patient/p"}${extraMembers}}`;

/** A server with versions of one plan. `fault` selects a failing response to the next request. */
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
      const storedText = patched(versions.at(-1) ?? '', versions.length + 1, body);
      versions.push(storedText);
      return server.fault === 'no answer'
        ? Promise.reject(new TypeError('No answer came.'))
        : Promise.resolve(answer(200, storedText));
    },
  });
  return Object.assign(server, { client });
}

function patched(before: string, version: number, operations: string): string {
  const { root } = scan(before.replace(/"versionId":"\d+"/, `"versionId":"${version}"`));
  if (root.kind !== 'object') throw new TypeError('No record is stored.');
  applyPatch(root, 'CarePlan', scan(operations).root);
  return serializeNode(root);
}

const optionsOf = ({ client }: ReturnType<typeof serverOf>): WorkOptions => ({
  client,
  operations: [{ path: '/status', value: '"active"', now: '"draft"' }],
  examineOptions: { level: 'standard', today: '2026-01-01', compute: () => Promise.resolve([]) },
});
const waitingTarget: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

test('sends a change for the examined version once', async () => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waitingTarget, optionsOf(server));
  expect(ready).toMatchObject({ state: 'ready', version: 1 });
  expect(await sendTarget(ready, optionsOf(server))).toMatchObject({
    state: 'done',
    version: 2,
    before: { version: 1 },
  });
  expect(server.versions).toEqual([plan(1, 'draft'), plan(2, 'active')]);
});

test.each([
  ['may still be changed', plan(2, 'draft', ',"title":"Theirs"'), 'changed', text.bulk.meanwhile(2)],
  ['is not to be changed any more', plan(2, 'on-hold'), 'unchanged', undefined],
])('never overwrites a record of someone else that %s', async (_, theirs, state, detail) => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waitingTarget, optionsOf(server));
  const restoredTarget: Target = { ...waitingTarget, state: 'ready', version: 1, etag: 'W/"1"' };
  server.versions.push(theirs);
  // First as examined in this run, then as a resumed run knows it.
  for (const target of [ready, restoredTarget]) {
    const sentTarget = await sendTarget(target, optionsOf(server));
    expect(sentTarget).toMatchObject({ state, version: 2, ...(detail !== undefined && { detail }) });
  }
  expect(server.versions).toHaveLength(2);
});

test('recognizes a write with a lost response and does not send it twice', async () => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waitingTarget, optionsOf(server));
  server.fault = 'no answer';
  await expect(sendTarget(ready, optionsOf(server))).rejects.toThrow(TypeError);
  server.fault = undefined;
  for (const complete of [sendTarget, replacing.resolveInterrupted]) {
    const completed = await complete(ready, optionsOf(server));
    expect(completed).toMatchObject({ state: 'done', version: 2, before: { version: 1 } });
  }
  expect(server.versions).toHaveLength(2);
});

test('leaves unwritten records of an interrupted run unchanged', async () => {
  const server = serverOf([plan(1, 'draft')]);
  const ready = await examineTarget(waitingTarget, optionsOf(server));
  expect(await replacing.resolveInterrupted(ready, optionsOf(server))).toBe(ready);
  server.versions.push(plan(2, 'on-hold'));
  expect(await replacing.resolveInterrupted(ready, optionsOf(server))).toBe(ready);
});

test("neither tries nor sends a record that can't be read", async () => {
  const server = serverOf([plan(1, 'draft')]);
  server.fault = 404;
  expect(await examineTarget(waitingTarget, optionsOf(server))).toMatchObject({ state: 'unread' });
  expect(await sendTarget(waitingTarget, optionsOf(server))).toMatchObject({ state: 'failed' });
  expect(server.versions).toHaveLength(1);
});
