import { expect, test } from 'vitest';
import type { RecordVersion } from '../../../core/api/client.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { resultOf } from '../../../core/app/bulk-replace.ts';
import type { Target } from './bulk-state.ts';
import { examineTarget, sendTarget } from './replace-target.ts';
import type { WorkOptions } from './target-work.ts';
import { undoTarget } from './undo-target.ts';

const activity = (description: string, status = 'scheduled') => ({ detail: { description, status } });
const plan = (...items: readonly object[]) =>
  JSON.stringify({
    ...{ resourceType: 'CarePlan', id: 'a', status: 'active', intent: 'plan' },
    ...{ subject: { reference: 'Patient/a' }, activity: items },
  });
const [walk, swim, rest, read] = [activity('Walk'), activity('Swim'), activity('Rest'), activity('Read')];
const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

/** A server with one record and all of its versions. */
function serverWith(first: string) {
  const versions = [first];
  const answer = (version: number): Promise<RecordVersion> =>
    Promise.resolve({ text: versions[version - 1] ?? '', version, etag: etagOf(version) });
  const take = (etag: string | undefined, made: string) => {
    if (etag !== etagOf(versions.length))
      return Promise.reject(new ApiFailure(412, undefined, versions.length));
    versions.push(made);
    return answer(versions.length);
  };
  const client: WorkOptions['client'] = {
    read: () => answer(versions.length),
    readVersion: (_type, _id, version) => answer(Number(version)),
    patch: (_type, _id, body, from) =>
      take(from?.etag, resultOf(versions.at(-1) ?? '', 'CarePlan', { method: 'patch', body })),
    update: (_type, _id, body, from) => take(from?.etag, body),
    history: () => Promise.resolve({ total: versions.length, versions: [] }),
  };
  const options: WorkOptions = {
    client,
    operations: [{ path: '/activity/1/detail/status', value: '"completed"' }],
    judge: { level: 'standard', today: '2026-01-01', compute: () => Promise.resolve([]) },
  };
  return { versions, options };
}

/** What the server holds of the activities, as `Walk scheduled`. */
function activitiesIn(text: string | undefined): string[] {
  const { activity: items } = JSON.parse(text ?? '{}') as { activity: ReturnType<typeof activity>[] };
  return items.map(({ detail }) => `${detail.description} ${detail.status}`);
}

test('replaces in the item that the dry run showed, although others moved it meanwhile', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  const ready = await examineTarget(target, options);
  versions.push(plan(rest, walk, swim));
  const changed = await sendTarget(ready, options);
  expect(changed).toMatchObject({ state: 'changed', changes: [{ pointer: '/activity/2/detail/status' }] });
  // Moved once more before it is tried again.
  versions.push(plan(rest, read, walk, swim));
  const again = await sendTarget({ ...changed, state: 'ready' }, options);
  expect(again).toMatchObject({ state: 'changed', changes: [{ pointer: '/activity/3/detail/status' }] });
  expect(await sendTarget({ ...again, state: 'ready' }, options)).toMatchObject({
    ...{ state: 'done', version: 4 },
    before: { version: 3 },
  });
  expect(activitiesIn(versions.at(-1))).toEqual([
    'Rest scheduled',
    'Read scheduled',
    'Walk scheduled',
    'Swim completed',
  ]);
});

test('finds the item again for a run that another window takes up', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  versions.push(plan(rest, walk, swim));
  const changed = await sendTarget({ ...target, state: 'ready', version: 1, etag: etagOf(1) }, options);
  expect(changed).toMatchObject({ state: 'changed', before: { version: 1 } });
  // What is kept of the record.
  const { version = 0, etag = '', before = {} } = changed;
  await sendTarget({ ...target, state: 'ready', version, etag, before }, options);
  expect(activitiesIn(versions.at(-1))).toEqual(['Rest scheduled', 'Walk scheduled', 'Swim completed']);
});

test('writes nothing where the item is gone, and says so', async () => {
  const { options, versions } = serverWith(plan(walk, swim, rest));
  const ready = await examineTarget(target, options);
  versions.push(plan(walk, rest));
  expect(await sendTarget(ready, options)).toMatchObject({
    state: 'cannot',
    detail: expect.stringContaining('/activity/1/detail/status is not found in version 2') as string,
  });
  expect(versions).toHaveLength(2);
});

test('writes nothing where a server without versions cannot show what the dry run saw', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  versions.push(plan(rest, walk, swim));
  const unversioned: WorkOptions = {
    ...options,
    client: { ...options.client, read: () => Promise.resolve({ text: versions.at(-1) ?? '' }) },
  };
  expect(await sendTarget({ ...target, state: 'ready' }, unversioned)).toMatchObject({ state: 'cannot' });
  expect(versions).toHaveLength(2);
});

test('an undo names where a record that was changed since still has what the run wrote', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  const done = await sendTarget(await examineTarget(target, options), options);
  versions.push(plan(rest, walk, activity('Swim', 'completed')));
  const changed = await undoTarget({ ...done, state: 'ready' }, options);
  expect(changed).toMatchObject({ state: 'changed', version: 3 });
  expect(changed.detail).toMatch(/still stands at CarePlan\.activity\[2\]\.detail\.status\.$/);
  expect(versions).toHaveLength(3);
  versions.push(plan(rest, walk));
  expect((await undoTarget({ ...done, state: 'ready' }, options)).detail).not.toContain('still stands');
});
