import { expect, test } from 'vitest';
import { createRepeatedReads } from './audit-recorder.ts';

const overviewRead = {
  path: '/app/overview',
  address: '/app/overview',
  principal: { id: 'one' },
  time: 1_000_000,
};
const minute = 60_000;

test('audits one entry per hour for a continuous viewer', () => {
  const isRepeated = createRepeatedReads();
  const hours = Array.from({ length: 121 }, (_, minuteIndex) =>
    isRepeated({ ...overviewRead, time: overviewRead.time + minuteIndex * minute }),
  );
  expect(hours.flatMap((isRepeat, minuteIndex) => (isRepeat ? [] : [minuteIndex]))).toEqual([0, 60, 120]);
});

test('audits one entry per person, session and address', () => {
  const isRepeated = createRepeatedReads();
  expect(isRepeated(overviewRead)).toBe(false);
  expect(isRepeated({ ...overviewRead, principal: { id: 'one', person: 'Ada' } })).toBe(false);
  expect(isRepeated({ ...overviewRead, principal: { id: 'two' } })).toBe(false);
  expect(isRepeated({ ...overviewRead, address: '/app/overview?a=b' })).toBe(false);
  expect(isRepeated(overviewRead)).toBe(true);
});

test('audits other addresses, anonymous reads, a clock set back and too many reads', () => {
  const isRepeated = createRepeatedReads();
  for (const difference of [{ path: '/app/export' }, { principal: undefined }]) {
    expect(isRepeated({ ...overviewRead, ...difference })).toBe(false);
    expect(isRepeated({ ...overviewRead, ...difference })).toBe(false);
  }
  isRepeated(overviewRead);
  expect(isRepeated({ ...overviewRead, time: overviewRead.time - minute })).toBe(false);
  for (let index = 0; index < 10_001; index += 1)
    isRepeated({ ...overviewRead, address: `/app/overview?${index}` });
  expect(isRepeated({ ...overviewRead, time: overviewRead.time - minute })).toBe(false);
});
