import type { Request, RequestHandler, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { below, series } from './series.ts';

const request = Object.create(null) as Request;
const response = Object.create(null) as Response;
const passes: RequestHandler = (_request, _response, next) => {
  next();
};
const fault = new Error('refused');

async function outcomeOf(...handlers: RequestHandler[]): Promise<unknown[][]> {
  const next = vi.fn();
  void series(...handlers)(request, response, next);
  await Promise.resolve();
  return next.mock.calls;
}

test('handlers run in turn, and the one behind the series once they are through', async () => {
  expect(await outcomeOf(passes, passes)).toEqual([[]]);
});

test('a handler that answers ends the series', async () => {
  const behind = vi.fn();
  expect(await outcomeOf(passes, () => undefined, behind)).toEqual([]);
  expect(behind).not.toHaveBeenCalled();
});

test.each<[string, RequestHandler]>([
  ['passes on', (_request, _response, next) => next(fault)],
  [
    'throws',
    () => {
      throw fault;
    },
  ],
  ['rejects with', () => Promise.reject(fault)],
])(
  'a fault that a handler %s is told once, also to a handler that guards its own call of next',
  async (_how, refuses) => {
    const guards: RequestHandler = (_request, _response, next) => {
      try {
        next();
      } catch {
        next(new Error('another'));
      }
    };
    const behind = vi.fn();
    expect(await outcomeOf(guards, refuses, behind)).toEqual([[fault]]);
    expect(behind).not.toHaveBeenCalled();
  },
);

test.each([
  ['/api', true],
  ['/api/', true],
  ['/api/CarePlan/1', true],
  ['/apis', false],
  ['/', false],
])('%s is at a path or below it: %s', (path, expected) => {
  const handler = vi.fn();
  const next = vi.fn();
  const asked = Object.create(null, { path: { value: path } }) as Request;
  void below('/api', handler)(asked, response, next);
  expect([handler.mock.calls.length, next.mock.calls.length]).toEqual(expected ? [1, 0] : [0, 1]);
});
