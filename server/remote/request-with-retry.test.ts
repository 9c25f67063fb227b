import { expect, test } from 'vitest';
import type { Connection } from '../../core/app/connections.ts';
import type { PageResponse } from '../gateway/page-response.ts';
import { RemoteError } from '../gateway/remote-error.ts';
import { requestWithRetry } from './request-with-retry.ts';

const url = new URL('http://x.test/fhir/CarePlan');

/** Sends a request to a server with these responses, in order. Returns the pauses. */
async function waits(responses: readonly (PageResponse | Error)[]) {
  const remainingResponses = [...responses];
  const pausesMs: number[] = [];
  const options = {
    gateway: {
      ask: () => {
        const next = remainingResponses.shift() ?? new Error('It was asked once too often.');
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
    },
    connection: () => Promise.resolve({} as Connection),
    clock: () => 0,
    wait: (ms: number) => Promise.resolve(void pausesMs.push(ms)),
    onWait: () => undefined,
  };
  const response = await requestWithRetry(options, url, 'CarePlan', new AbortController().signal);
  return { pausesMs, status: response.status };
}

const createResponse = (status: number, after?: string): PageResponse => ({
  status,
  headers: after === undefined ? {} : { 'retry-after': after },
  body: Buffer.from('{}'),
});

test('waits after 429 and 503 as requested, for at most five minutes', async () => {
  const { pausesMs } = await waits([
    createResponse(429, '7'),
    createResponse(503, '9999'),
    createResponse(200),
  ]);
  expect(pausesMs).toEqual([7000, 300_000]);
});

test('waits one second without a response, doubling up to a minute', async () => {
  const unreachable = new RemoteError(
    'unreachable',
    { messageCode: 'test.gone', text: 'No server listens there.' },
    false,
  );
  const { pausesMs } = await waits([
    ...Array.from({ length: 8 }, () => unreachable),
    createResponse(502),
    createResponse(200),
  ]);
  expect(pausesMs).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('does not repeat a request after an unusable response or a rejection', async () => {
  const lie = new RemoteError('unusable', { messageCode: 'test.lie', text: 'Another type.' }, true);
  await expect(waits([lie, createResponse(200)])).rejects.toThrow('Another type.');
  expect(await waits([createResponse(403)])).toEqual({ pausesMs: [], status: 403 });
});
