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
/** As servers answer: with its id and version. */
const stamped = (text: string, version: number) =>
  text.replace('"status"', `"id":"a","meta":{"versionId":"${version}"},"status"`);
const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };
const kept = { state: 'ready', version: 1, etag: 'W/"1"' } as const;
const refusal = {
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'value', details: { text: 'No.' } }],
} as const;
const busy = (status: number, seconds?: number) =>
  new ApiFailure(status, undefined, undefined, undefined, seconds);

/** An expression that makes something else of what it made. */
const doubled: Compute = ({ record }) =>
  Promise.resolve([{ value: record.includes('draft') ? 'active' : 'completed' }]);

/** A server with one record and its versions; another client may write between two requests. */
function serverWith(status: string) {
  const versions = [plan(status)];
  const sent: [body: string, etag: string | undefined][] = [];
  const write = (other: string) => void versions.push(plan(other));
  const answer = (version: number): Promise<RecordVersion> =>
    Promise.resolve({
      text: stamped(versions[version - 1] ?? '', version),
      version,
      etag: etagOf(version),
    });
  function take(body: string, from: WriteBase | undefined, made: string) {
    const etag = from?.etag;
    sent.push([body, etag]);
    if (etag !== etagOf(versions.length))
      return Promise.reject(new ApiFailure(412, undefined, versions.length));
    versions.push(made);
    return answer(versions.length);
  }
  const bare = (text: string) => text.replace(/"id":"a","meta":\{"versionId":"\d+"\},/, '');
  const client: WorkOptions['client'] = {
    read: () => answer(versions.length),
    readVersion: (_type, _id, version) => answer(Number(version)),
    patch: (_type, _id, body, from) =>
      take(body, from, resultOf(versions.at(-1) ?? '', 'CarePlan', { method: 'patch', body })),
    update: (_type, _id, body, from) => take(bare(body), from, bare(body)),
    history: () => {
      const entry = (version: number) => ({
        ...{ version, lastUpdated: '2026-01-02T03:04:05.000Z', operation: 'update' as const },
        ...{ author: 'desk', person: 'Robin Steward', changes: 1, paths: [] },
      });
      const newest = versions.length;
      return Promise.resolve({ total: newest, versions: [entry(newest), entry(newest - 1)] });
    },
  };
  const options: WorkOptions = {
    client,
    operations: [{ path: '/status', value: '"active"' }],
    judge: { level: 'standard', today: '2026-01-01', compute: doubled },
  };
  return { versions, write, sent, options };
}

test('a record is sent as the version that the dry run saw', async () => {
  const { options, sent } = serverWith('draft');
  const ready = await examineTarget(target, options);
  expect(ready).toMatchObject({ state: 'ready', version: 1, changes: [{ before: '"draft"' }] });
  expect(await sendTarget(ready, options)).toMatchObject({
    ...{ state: 'done', version: 2 },
    before: { version: 1, etag: 'W/"1"' },
  });
  expect(sent).toEqual([['[{"op":"replace","path":"/status","value":"active"}]', 'W/"1"']]);
});

test('a record that someone else wrote meanwhile is looked at again, and not overwritten', async () => {
  const { options, sent, write, versions } = serverWith('draft');
  const ready = await examineTarget(target, options);
  write('on-hold');
  const changed = await sendTarget(ready, options);
  expect(changed).toMatchObject({ state: 'changed', version: 2, changes: [{ before: '"on-hold"' }] });
  expect(versions).toHaveLength(2);
  expect(sent).toHaveLength(1);
});

test('a patch that arrived before the connection was lost is not sent twice, and counts as written', async () => {
  const { options, write, versions } = serverWith('draft');
  const ready = await examineTarget(target, options);
  write('active');
  const done = { state: 'done', version: 2, before: { version: 1, etag: 'W/"1"' } };
  expect(await sendTarget(ready, options)).toMatchObject(done);
  expect(await sendTarget({ ...target, ...kept }, options)).toMatchObject(done);
  expect(versions).toHaveLength(2);
});

test('a run that is taken up again looks first: the same version is sent, another is not', async () => {
  const same = serverWith('draft');
  expect(await sendTarget({ ...target, ...kept }, same.options)).toMatchObject({ state: 'done', version: 2 });
  const other = serverWith('draft');
  other.write('on-hold');
  expect(await sendTarget({ ...target, ...kept }, other.options)).toMatchObject({
    state: 'changed',
    version: 2,
  });
  expect(other.sent).toEqual([]);
});

test('a refusal is an outcome of the record; no answer stops the run', async () => {
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
  const lost = new TypeError('fetch failed');
  await expect(sendTarget(ready, answering(lost))).rejects.toBe(lost);
  await expect(sendTarget(ready, answering(new ApiFailure(401, undefined, undefined)))).rejects.toThrow();
});

test('asked to wait, neither the dry run nor the sending makes an outcome of it', async () => {
  const { options } = serverWith('draft');
  const ready = await examineTarget(target, options);
  const waiting: WorkOptions = {
    ...options,
    client: {
      ...options.client,
      read: () => Promise.reject(busy(429, 5)),
      patch: () => Promise.reject(busy(429)),
    },
  };
  await expect(examineTarget(target, waiting)).rejects.toThrow(ApiFailure);
  await expect(sendTarget(ready, waiting)).rejects.toThrow(ApiFailure);
});

/** A record whose status a run has set from draft to active, and its target in the undo of that run. */
async function undoOf() {
  const server = serverWith('draft');
  const done = await sendTarget(await examineTarget(target, server.options), server.options);
  server.sent.length = 0;
  return { ...server, wrote: { ...done, state: 'ready' } as Target };
}

test('an undo puts back the text of the version before as a version of its own, and can be undone itself', async () => {
  const { options, wrote, versions, sent } = await undoOf();
  const undone = await undoTarget(wrote, options);
  expect(undone).toMatchObject({ state: 'done', version: 3, before: { version: 2, etag: 'W/"2"' } });
  expect(sent).toEqual([[plan('draft'), 'W/"2"']]);
  expect(await undoTarget({ ...undone, state: 'ready' }, options)).toMatchObject({
    state: 'done',
    version: 4,
  });
  expect(versions).toEqual(['draft', 'active', 'draft', 'active'].map(plan));
});

test('an undo leaves what somebody has changed since, and says who and when', async () => {
  const { options, wrote, write, versions } = await undoOf();
  write('on-hold');
  const changed = await undoTarget(wrote, options);
  expect(changed).toMatchObject({ state: 'changed', version: 3 });
  expect(changed.detail).toMatch(/^Version 3 was saved by Robin Steward \(desk\) after the run/);
  expect(versions).toHaveLength(3);
});

test('a record that already says what it said before the run gets no version, whoever put it back', async () => {
  const { options, wrote, write, versions } = await undoOf();
  write('on-hold');
  write('draft');
  expect(await undoTarget(wrote, options)).toMatchObject({ state: 'unchanged', version: 4 });
  expect(versions).toHaveLength(4);
});

test('what an undo put back before it was killed is not put back twice', async () => {
  const { options, wrote, versions } = await undoOf();
  await undoTarget(wrote, options);
  const again = { state: 'done', version: 3, before: { version: 2 } };
  expect(await undoTarget(wrote, options)).toMatchObject(again);
  expect(await undoing.settle(wrote, options)).toMatchObject(again);
  expect(versions).toHaveLength(3);
});

test('a record that is gone, a refusal, and a version that is not known are outcomes of an undo', async () => {
  const { options, wrote } = await undoOf();
  const answering = (status: number): WorkOptions => ({
    ...options,
    client: { ...options.client, update: () => Promise.reject(new ApiFailure(status, refusal, undefined)) },
  });
  expect(await undoTarget(wrote, answering(410))).toMatchObject({ state: 'gone', detail: 'No.' });
  expect(await undoTarget(wrote, answering(422))).toMatchObject({ state: 'failed', detail: 'No.' });
  expect(await undoTarget({ ...target, ...kept }, options)).toMatchObject({ state: 'cannot' });
  await expect(undoTarget(wrote, answering(502))).rejects.toThrow(ApiFailure);
});

test('a run that was interrupted is settled without a write: what it wrote is known, the rest is still ready', async () => {
  const ready: Target = { ...target, ...kept };
  const wrote = serverWith('draft');
  wrote.write('active');
  expect(await replacing.settle(ready, wrote.options)).toMatchObject({
    state: 'done',
    version: 2,
    before: { version: 1 },
  });
  const not = serverWith('draft');
  expect(await replacing.settle(ready, not.options)).toBe(ready);
  const others = serverWith('draft');
  others.write('on-hold');
  expect(await replacing.settle(ready, others.options)).toBe(ready);
  expect([wrote, not, others].flatMap(({ sent }) => sent)).toEqual([]);
});

test('a computed value that was written before the answer was lost is not computed from once more', async () => {
  const { options, write, versions } = serverWith('draft');
  const computed: WorkOptions = {
    ...options,
    operations: [{ kind: 'compute', path: '/status', expression: 'x' }],
  };
  write('active');
  expect(await sendTarget({ ...target, ...kept }, computed)).toMatchObject({ state: 'done', version: 2 });
  expect(versions).toHaveLength(2);
});
