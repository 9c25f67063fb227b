import { expect, test } from 'vitest';
import { memoryBudget } from './memory-budget.ts';

const mebibyte = 1024 ** 2;

test('leaves room for the process within the least memory', () => {
  const { bodies, answers, textThreads, textHeap, profileHeap } = memoryBudget(512 * mebibyte);
  expect(textThreads).toBe(1);
  // 300,000 values take 96 MB.
  expect(textHeap).toBe(128);
  expect((bodies + answers) / mebibyte + textHeap).toBeLessThan(256);
  expect(profileHeap).toBe(102);
});

test('takes no more than the documented limits on a large machine', () => {
  expect(memoryBudget(64 * 1024 * mebibyte)).toMatchObject({
    bodies: 256 * mebibyte,
    answers: 256 * mebibyte,
    textThreads: 2,
    textHeap: 1024,
    packageHeap: 768,
  });
});
