import { expect, test } from 'vitest';
import { createLocalSignIns, signInTimeoutMs } from './pending-sign-ins.ts';

const signInFrom = (startedAtMs: number) => ({ state: 's', nonce: 'n', verifier: 'v', begun: startedAtMs });

test('evicts sign-ins of the network that started the most', async () => {
  const signIns = createLocalSignIns(10);
  await signIns.add('early', signInFrom(1), 'ward');
  for (let turn = 0; turn < 50; turn += 1) await signIns.add(`flood-${turn}`, signInFrom(2), 'stranger');
  await signIns.add('late', signInFrom(3), 'office');
  for (let turn = 50; turn < 100; turn += 1) await signIns.add(`flood-${turn}`, signInFrom(4), 'stranger');
  expect(await signIns.take('early')).toEqual(signInFrom(1));
  expect(await signIns.take('late')).toEqual(signInFrom(3));
  // The latest of the flood remain.
  expect(await signIns.take('flood-99')).toEqual(signInFrom(4));
  expect(await signIns.take('flood-91')).toBeUndefined();
});

test('evicts expired sign-ins first', async () => {
  const signIns = createLocalSignIns(2);
  await signIns.add('over', signInFrom(0), 'ward');
  await signIns.add('first', signInFrom(signInTimeoutMs), 'ward');
  await signIns.add('second', signInFrom(signInTimeoutMs), 'ward');
  expect(await signIns.take('over')).toBeUndefined();
  expect(await signIns.take('first')).toEqual(signInFrom(signInTimeoutMs));
});
