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
    resourceType: 'CarePlan',
    id: 'a',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/a' },
    activity: items,
  });
const [walk, swim, restActivity, readActivity] = [
  activity('Walk'),
  activity('Swim'),
  activity('Rest'),
  activity('Read'),
];
const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

/** A server with one record and all of its versions. */
function serverWith(firstText: string) {
  const versions = [firstText];
  const answer = (version: number): Promise<RecordVersion> =>
    Promise.resolve({ text: versions[version - 1] ?? '', version, etag: etagOf(version) });
  const write = (etag: string | undefined, newText: string) => {
    if (etag !== etagOf(versions.length))
      return Promise.reject(new ApiFailure(412, undefined, versions.length));
    versions.push(newText);
    return answer(versions.length);
  };
  const client: WorkOptions['client'] = {
    read: () => answer(versions.length),
    readVersion: (_type, _id, version) => answer(Number(version)),
    patch: (_type, _id, body, from) =>
      write(from?.etag, resultOf(versions.at(-1) ?? '', 'CarePlan', { method: 'patch', body })),
    update: (_type, _id, body, from) => write(from?.etag, body),
    history: () => Promise.resolve({ total: versions.length, versions: [] }),
  };
  const options: WorkOptions = {
    client,
    operations: [{ path: '/activity/1/detail/status', value: '"completed"' }],
    examineOptions: { level: 'standard', today: '2026-01-01', compute: () => Promise.resolve([]) },
  };
  return { versions, options };
}

/** Returns activities and their status, such as `Walk scheduled`. */
function activitiesIn(text: string | undefined): string[] {
  const { activity: items } = JSON.parse(text ?? '{}') as { activity: ReturnType<typeof activity>[] };
  return items.map(({ detail }) => `${detail.description} ${detail.status}`);
}

test('replaces in the item that the dry run showed although others moved it', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  const ready = await examineTarget(target, options);
  versions.push(plan(restActivity, walk, swim));
  const firstAttempt = await sendTarget(ready, options);
  expect(firstAttempt).toMatchObject({
    state: 'changed',
    changes: [{ pointer: '/activity/2/detail/status' }],
  });
  // The item moves once more before the retry.
  versions.push(plan(restActivity, readActivity, walk, swim));
  const secondAttempt = await sendTarget({ ...firstAttempt, state: 'ready' }, options);
  expect(secondAttempt).toMatchObject({
    state: 'changed',
    changes: [{ pointer: '/activity/3/detail/status' }],
  });
  expect(await sendTarget({ ...secondAttempt, state: 'ready' }, options)).toMatchObject({
    state: 'done',
    version: 4,
    before: { version: 3 },
  });
  expect(activitiesIn(versions.at(-1))).toEqual([
    'Rest scheduled',
    'Read scheduled',
    'Walk scheduled',
    'Swim completed',
  ]);
});

test('finds the moved item after another window resumes the run', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  versions.push(plan(restActivity, walk, swim));
  const firstAttempt = await sendTarget({ ...target, state: 'ready', version: 1, etag: etagOf(1) }, options);
  expect(firstAttempt).toMatchObject({ state: 'changed', before: { version: 1 } });
  // Stored members of the record.
  const { version = 0, etag = '', before = {} } = firstAttempt;
  await sendTarget({ ...target, state: 'ready', version, etag, before }, options);
  expect(activitiesIn(versions.at(-1))).toEqual(['Rest scheduled', 'Walk scheduled', 'Swim completed']);
});

test('reports a removed item and writes nothing', async () => {
  const { options, versions } = serverWith(plan(walk, swim, restActivity));
  const ready = await examineTarget(target, options);
  versions.push(plan(walk, restActivity));
  expect(await sendTarget(ready, options)).toMatchObject({
    state: 'cannot',
    detail: expect.stringContaining(
      'Version 2 no longer has the item that the dry run showed at /activity/1/detail/status.',
    ) as string,
  });
  expect(versions).toHaveLength(2);
});

test("writes nothing if a server without versions can't show the examined version", async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  versions.push(plan(restActivity, walk, swim));
  const unversioned: WorkOptions = {
    ...options,
    client: { ...options.client, read: () => Promise.resolve({ text: versions.at(-1) ?? '' }) },
  };
  expect(await sendTarget({ ...target, state: 'ready' }, unversioned)).toMatchObject({ state: 'cannot' });
  expect(versions).toHaveLength(2);
});

test('names the elements that still have the value of the run in a changed record', async () => {
  const { options, versions } = serverWith(plan(walk, swim));
  const done = await sendTarget(await examineTarget(target, options), options);
  versions.push(plan(restActivity, walk, activity('Swim', 'completed')));
  const undoResult = await undoTarget({ ...done, state: 'ready' }, options);
  expect(undoResult).toMatchObject({ state: 'changed', version: 3 });
  expect(undoResult.detail).toMatch(/remain at CarePlan\.activity\[2\]\.detail\.status\.$/);
  expect(versions).toHaveLength(3);
  versions.push(plan(restActivity, walk));
  expect((await undoTarget({ ...done, state: 'ready' }, options)).detail).not.toContain('still stands');
});
