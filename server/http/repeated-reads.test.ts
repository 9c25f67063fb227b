import { expect, test } from 'vitest';
import { createRepeatedReads } from './repeated-reads.ts';

const read = { path: '/app/overview', address: '/app/overview', principal: { id: 'one' }, time: 1_000_000 };
const minute = 60_000;

test('has an entry of each hour for who looks on', () => {
  const isRepeated = createRepeatedReads();
  const hours = Array.from({ length: 121 }, (_, at) =>
    isRepeated({ ...read, time: read.time + at * minute }),
  );
  expect(hours.flatMap((repeated, at) => (repeated ? [] : [at]))).toEqual([0, 60, 120]);
});

test('has an entry of each person, session and question', () => {
  const isRepeated = createRepeatedReads();
  expect(isRepeated(read)).toBe(false);
  expect(isRepeated({ ...read, principal: { id: 'one', person: 'Ada' } })).toBe(false);
  expect(isRepeated({ ...read, principal: { id: 'two' } })).toBe(false);
  expect(isRepeated({ ...read, address: '/app/overview?a=b' })).toBe(false);
  expect(isRepeated(read)).toBe(true);
});

test('forgets nothing in favour of silence: another address, nobody, a clock set back, and too many questions', () => {
  const isRepeated = createRepeatedReads();
  for (const one of [{ path: '/app/export' }, { principal: undefined }]) {
    expect(isRepeated({ ...read, ...one })).toBe(false);
    expect(isRepeated({ ...read, ...one })).toBe(false);
  }
  isRepeated(read);
  expect(isRepeated({ ...read, time: read.time - minute })).toBe(false);
  for (let at = 0; at < 10_001; at += 1) isRepeated({ ...read, address: `/app/overview?${at}` });
  expect(isRepeated({ ...read, time: read.time - minute })).toBe(false);
});
