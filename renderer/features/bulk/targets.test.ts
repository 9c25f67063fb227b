import { expect, test } from 'vitest';
import type { RecordVersion } from '../../../core/api/client.ts';
import type { WriteBase } from '../../../core/api/write-base.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import type { Compute } from '../../../core/app/bulk-computed.ts';
import { resultOf } from '../../../core/app/bulk-replace.ts';
import type { Target } from './bulk-state.ts';
import { examineTarget, replacing, sendTarget } from './replace-target.ts';
import type { WorkOptions } from './target-work.ts';
import { undoing, undoTarget } from './undo-target.ts';

const plan = (status: string) =>
  `{"resourceType":"CarePlan","status":"${status}","intent":"plan","subject":{"reference":"Patient/a"}}`;
/** Text as servers return it: with ID and version. */
const stamped = (text: string, version: number) =>
  text.replace('"status"', `"id":"a","meta":{"versionId":"${version}"},"status"`);
const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };
const restoredMembers = { state: 'ready', version: 1, etag: 'W/"1"' } as const;
const refusal = {
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'value', details: { text: 'No.' } }],
} as const;
const busy = (status: number, seconds?: number) =>
  new ApiFailure(status, undefined, undefined, undefined, seconds);

/** An expression whose result differs when it is applied twice. */
const doubled: Compute = ({ record }) =>
  Promise.resolve([{ value: record.includes('draft') ? 'active' : 'completed' }]);

/** A server with one record and its versions. Another client may write between two requests. */
function serverWith(status: string) {
  const versions = [plan(status)];
  const sentBodies: [body: string, etag: string | undefined][] = [];
  const write = (newStatus: string) => void versions.push(plan(newStatus));
  const answer = (version: number): Promise<RecordVersion> =>
    Promise.resolve({
      text: stamped(versions[version - 1] ?? '', version),
      version,
      etag: etagOf(version),
    });
  function applyWrite(body: string, from: WriteBase | undefined, newText: string) {
    const etag = from?.etag;
    sentBodies.push([body, etag]);
    if (etag !== etagOf(versions.length))
      return Promise.reject(new ApiFailure(412, undefined, versions.length));
    versions.push(newText);
    return answer(versions.length);
  }
  const bare = (text: string) => text.replace(/"id":"a","meta":\{"versionId":"\d+"\},/, '');
  const client: WorkOptions['client'] = {
    read: () => answer(versions.length),
    readVersion: (_type, _id, version) => answer(Number(version)),
    patch: (_type, _id, body, from) =>
      applyWrite(body, from, resultOf(versions.at(-1) ?? '', 'CarePlan', { method: 'patch', body })),
    update: (_type, _id, body, from) => applyWrite(bare(body), from, bare(body)),
    history: () => {
      const entry = (version: number) => ({
        version,
        lastUpdated: '2026-01-02T03:04:05.000Z',
        operation: 'update' as const,
        author: 'desk',
        person: 'Robin Steward',
        changes: 1,
        paths: [],
      });
      const newest = versions.length;
      return Promise.resolve({ total: newest, versions: [entry(newest), entry(newest - 1)] });
    },
  };
  const options: WorkOptions = {
    client,
    operations: [{ path: '/status', value: '"active"' }],
    examineOptions: { level: 'standard', today: '2026-01-01', compute: doubled },
  };
  return { versions, write, sentBodies, options };
}

test('sends a record as the version that the dry run saw', async () => {
  const { options, sentBodies } = serverWith('draft');
  const ready = await examineTarget(target, options);
  expect(ready).toMatchObject({ state: 'ready', version: 1, changes: [{ before: '"draft"' }] });
  expect(await sendTarget(ready, options)).toMatchObject({
    state: 'done',
    version: 2,
    before: { version: 1, etag: 'W/"1"' },
  });
  expect(sentBodies).toEqual([['[{"op":"replace","path":"/status","value":"active"}]', 'W/"1"']]);
});

test('examines a record again that someone else wrote and does not overwrite it', async () => {
  const { options, sentBodies, write, versions } = serverWith('draft');
  const ready = await examineTarget(target, options);
  write('on-hold');
  const conflict = await sendTarget(ready, options);
  expect(conflict).toMatchObject({
    state: 'changed',
    version: 2,
    changes: [{ before: '"on-hold"' }],
    detail: 'Robin Steward (desk) saved version 2 during the run. It was not overwritten.',
  });
  expect(versions).toHaveLength(2);
  expect(sentBodies).toHaveLength(1);
});

test('counts a patch as written if only its response was lost', async () => {
  const { options, write, versions } = serverWith('draft');
  const ready = await examineTarget(target, options);
  write('active');
  const done = { state: 'done', version: 2, before: { version: 1, etag: 'W/"1"' } };
  expect(await sendTarget(ready, options)).toMatchObject(done);
  expect(await sendTarget({ ...target, ...restoredMembers }, options)).toMatchObject(done);
  expect(versions).toHaveLength(2);
});

test('sends a resumed record only if its version is unchanged', async () => {
  const unchangedServer = serverWith('draft');
  expect(await sendTarget({ ...target, ...restoredMembers }, unchangedServer.options)).toMatchObject({
    state: 'done',
    version: 2,
  });
  const changedServer = serverWith('draft');
  changedServer.write('on-hold');
  expect(await sendTarget({ ...target, ...restoredMembers }, changedServer.options)).toMatchObject({
    state: 'changed',
    version: 2,
  });
  expect(changedServer.sentBodies).toEqual([]);
});

test('records a rejection as the result of the record and stops if no response arrives', async () => {
  const { options } = serverWith('draft');
  const ready = await examineTarget(target, options);
  const answering = (error: Error): WorkOptions => ({
    ...options,
    client: { ...options.client, patch: () => Promise.reject(error) },
  });
  expect(await sendTarget(ready, answering(new ApiFailure(422, refusal, undefined)))).toMatchObject({
    state: 'failed',
    detail: 'No.',
  });
  const networkError = new TypeError('fetch failed');
  await expect(sendTarget(ready, answering(networkError))).rejects.toBe(networkError);
  await expect(sendTarget(ready, answering(new ApiFailure(401, undefined, undefined)))).rejects.toThrow();
});

test('makes no result of a request to wait', async () => {
  const { options } = serverWith('draft');
  const ready = await examineTarget(target, options);
  const busyOptions: WorkOptions = {
    ...options,
    client: {
      ...options.client,
      read: () => Promise.reject(busy(429, 5)),
      patch: () => Promise.reject(busy(429)),
    },
  };
  await expect(examineTarget(target, busyOptions)).rejects.toThrow(ApiFailure);
  await expect(sendTarget(ready, busyOptions)).rejects.toThrow(ApiFailure);
});

/** A record whose status a run has set from draft to active, and its target in the undo of that run. */
async function undoOf() {
  const server = serverWith('draft');
  const done = await sendTarget(await examineTarget(target, server.options), server.options);
  server.sentBodies.length = 0;
  return { ...server, wrote: { ...done, state: 'ready' } as Target };
}

test('writes the previous text as a new version that can be undone itself', async () => {
  const { options, wrote, versions, sentBodies } = await undoOf();
  const undoResult = await undoTarget(wrote, options);
  expect(undoResult).toMatchObject({ state: 'done', version: 3, before: { version: 2, etag: 'W/"2"' } });
  expect(sentBodies).toEqual([[plan('draft'), 'W/"2"']]);
  expect(await undoTarget({ ...undoResult, state: 'ready' }, options)).toMatchObject({
    state: 'done',
    version: 4,
  });
  expect(versions).toEqual(['draft', 'active', 'draft', 'active'].map(plan));
});

test('leaves a record that somebody changed and names the author and time', async () => {
  const { options, wrote, write, versions } = await undoOf();
  write('on-hold');
  const undoResult = await undoTarget(wrote, options);
  expect(undoResult).toMatchObject({ state: 'changed', version: 3 });
  expect(undoResult.detail).toMatch(/^Robin Steward \(desk\) saved version 3 after the run/);
  expect(versions).toHaveLength(3);
});

test('writes no version if the record already has the text from before the run', async () => {
  const { options, wrote, write, versions } = await undoOf();
  write('on-hold');
  write('draft');
  expect(await undoTarget(wrote, options)).toMatchObject({ state: 'unchanged', version: 4 });
  expect(versions).toHaveLength(4);
});

test('does not revert the writes of an interrupted undo twice', async () => {
  const { options, wrote, versions } = await undoOf();
  await undoTarget(wrote, options);
  const expected = { state: 'done', version: 3, before: { version: 2 } };
  expect(await undoTarget(wrote, options)).toMatchObject(expected);
  expect(await undoing.resolveInterrupted(wrote, options)).toMatchObject(expected);
  expect(versions).toHaveLength(3);
});

test('reports removed records, rejections and unknown versions as results of an undo', async () => {
  const { options, wrote } = await undoOf();
  const answering = (status: number): WorkOptions => ({
    ...options,
    client: { ...options.client, update: () => Promise.reject(new ApiFailure(status, refusal, undefined)) },
  });
  expect(await undoTarget(wrote, answering(410))).toMatchObject({ state: 'gone', detail: 'No.' });
  expect(await undoTarget(wrote, answering(422))).toMatchObject({ state: 'failed', detail: 'No.' });
  expect(await undoTarget({ ...target, ...restoredMembers }, options)).toMatchObject({ state: 'cannot' });
  await expect(undoTarget(wrote, answering(502))).rejects.toThrow(ApiFailure);
});

test('settles an interrupted run without writes', async () => {
  const ready: Target = { ...target, ...restoredMembers };
  const writtenServer = serverWith('draft');
  writtenServer.write('active');
  expect(await replacing.resolveInterrupted(ready, writtenServer.options)).toMatchObject({
    state: 'done',
    version: 2,
    before: { version: 1 },
  });
  const unwrittenServer = serverWith('draft');
  expect(await replacing.resolveInterrupted(ready, unwrittenServer.options)).toBe(ready);
  const otherServer = serverWith('draft');
  otherServer.write('on-hold');
  expect(await replacing.resolveInterrupted(ready, otherServer.options)).toBe(ready);
  expect([writtenServer, unwrittenServer, otherServer].flatMap(({ sentBodies }) => sentBodies)).toEqual([]);
});

test('does not apply a computed change twice after a lost response', async () => {
  const { options, write, versions } = serverWith('draft');
  const computed: WorkOptions = {
    ...options,
    operations: [{ kind: 'compute', path: '/status', expression: 'x' }],
  };
  write('active');
  expect(await sendTarget({ ...target, ...restoredMembers }, computed)).toMatchObject({
    state: 'done',
    version: 2,
  });
  expect(versions).toHaveLength(2);
});
