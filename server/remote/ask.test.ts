import { expect, test } from 'vitest';
import type { Connection } from '../../core/app/connections.ts';
import type { PageAnswer } from '../gateway/answer.ts';
import { RemoteFault } from '../gateway/remote-fault.ts';
import { askPatiently } from './ask.ts';

const url = new URL('http://x.test/fhir/CarePlan');

/** Asks a server that answers so, one after the other; tells what was waited for. */
async function waits(answers: readonly (PageAnswer | Error)[]) {
  const left = [...answers];
  const waited: number[] = [];
  const asking = {
    gateway: {
      ask: () => {
        const next = left.shift() ?? new Error('It was asked once too often.');
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
    },
    connection: () => Promise.resolve({} as Connection),
    clock: () => 0,
    wait: (ms: number) => Promise.resolve(void waited.push(ms)),
    waiting: () => undefined,
  };
  const answer = await askPatiently(asking, url, 'CarePlan', new AbortController().signal);
  return { waited, status: answer.status };
}

const answer = (status: number, after?: string): PageAnswer => ({
  status,
  headers: after === undefined ? {} : { 'retry-after': after },
  body: Buffer.from('{}'),
});

test('429 and 503 wait as the server says, five minutes at most', async () => {
  const { waited } = await waits([answer(429, '7'), answer(503, '9999'), answer(200)]);
  expect(waited).toEqual([7000, 300_000]);
});

test('without an answer it waits from one second on, doubling up to a minute', async () => {
  const gone = new RemoteFault('unreachable', 'No server listens there.', false);
  const { waited } = await waits([...Array.from({ length: 8 }, () => gone), answer(502), answer(200)]);
  expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('an answer that cannot be used, and a refusal, are not asked for again', async () => {
  const lie = new RemoteFault('unusable', 'Another type.', true);
  await expect(waits([lie, answer(200)])).rejects.toThrow('Another type.');
  expect(await waits([answer(403)])).toEqual({ waited: [], status: 403 });
});
