import { expect, test } from 'vitest';
import { ownSignIns, signInTime } from './under-way.ts';

const begunAt = (begun: number) => ({ state: 's', nonce: 'n', verifier: 'v', begun });

test('keeps the sign-ins of others where one network begins more than there is room for', async () => {
  const signIns = ownSignIns(10);
  await signIns.add('early', begunAt(1), 'ward');
  for (let turn = 0; turn < 50; turn += 1) await signIns.add(`flood-${turn}`, begunAt(2), 'stranger');
  await signIns.add('late', begunAt(3), 'office');
  for (let turn = 50; turn < 100; turn += 1) await signIns.add(`flood-${turn}`, begunAt(4), 'stranger');
  expect(await signIns.take('early')).toEqual(begunAt(1));
  expect(await signIns.take('late')).toEqual(begunAt(3));
  // Of the flood its newest stay.
  expect(await signIns.take('flood-99')).toEqual(begunAt(4));
  expect(await signIns.take('flood-91')).toBeUndefined();
});

test('takes the room of sign-ins that are over before it takes that of any other', async () => {
  const signIns = ownSignIns(2);
  await signIns.add('over', begunAt(0), 'ward');
  await signIns.add('first', begunAt(signInTime), 'ward');
  await signIns.add('second', begunAt(signInTime), 'ward');
  expect(await signIns.take('over')).toBeUndefined();
  expect(await signIns.take('first')).toEqual(begunAt(signInTime));
});
