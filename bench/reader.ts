/**
 * A process that reads a record, or sends the given operation, every few milliseconds while other work runs.
 * Forked with port and token of the server, file of the sample and operation. At any message, it responds
 * with its waits and ends.
 */
import { setTimeout } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { operations } from './operations.ts';
import { createMaterial, createRequestFactory } from './requests.ts';
import { readSample } from './sample.ts';

/** Result of a reader. Times are in milliseconds. */
export interface Waits {
  readonly reads: number;
  readonly median: number;
  readonly percentile99: number;
  readonly longest: number;
}

/** Milliseconds between a response and the next read. */
const pauseMs = 4;

const [port = '', token = '', sample = '', requestedOperation = 'read'] = process.argv.slice(2);
const operation = operations.find((candidate) => candidate === requestedOperation) ?? 'read';
const options = { port: Number(port), token, operation, seed: 1, stream: 0 } as const;
const createRequest = createRequestFactory(createMaterial(readSample(sample)), options);
const connection = await Connection.open(options.port);
const waitsMs: number[] = [];
const stopping = new AbortController();
process.once('message', () => {
  stopping.abort();
});
process.send?.('ready');
while (!stopping.signal.aborted) {
  const request = createRequest();
  const sendTime = performance.now();
  const { status } = await connection.send(request);
  if (status !== 200) throw new Error(`A request was answered ${status}.`);
  waitsMs.push(performance.now() - sendTime);
  await setTimeout(pauseMs);
}
connection.close();
waitsMs.sort((left, right) => left - right);
const result: Waits = {
  reads: waitsMs.length,
  median: waitsMs[waitsMs.length >> 1] ?? NaN,
  percentile99: waitsMs[Math.floor(waitsMs.length * 0.99)] ?? NaN,
  longest: waitsMs.at(-1) ?? NaN,
};
process.send?.(result);
process.disconnect();
