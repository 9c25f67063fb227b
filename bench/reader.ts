/**
 * A process that reads a record, or asks what is told, every few milliseconds beside a rebuild: forked with the server's
 * port, its token, the sample's file and the operation; answers any message with how long its reads waited, and ends.
 */
import { setTimeout } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { operations } from './operations.ts';
import { materialOf, requestMaker } from './requests.ts';
import { readSample } from './sample.ts';

/** What a reader answers, in milliseconds. */
export interface Waits {
  readonly reads: number;
  readonly median: number;
  readonly percentile99: number;
  readonly longest: number;
}

/** Milliseconds between an answer and the next read. */
const pause = 4;

const [port = '', token = '', sample = '', asked = 'read'] = process.argv.slice(2);
const operation = operations.find((one) => one === asked) ?? 'read';
const options = { port: Number(port), token, operation, seed: 1, stream: 0 } as const;
const make = requestMaker(materialOf(readSample(sample)), options);
const connection = await Connection.open(options.port);
const waits: number[] = [];
const ended = new AbortController();
process.once('message', () => {
  ended.abort();
});
process.send?.('ready');
while (!ended.signal.aborted) {
  const request = make();
  const sent = performance.now();
  const { status } = await connection.send(request);
  if (status !== 200) throw new Error(`A request was answered ${status}.`);
  waits.push(performance.now() - sent);
  await setTimeout(pause);
}
connection.close();
waits.sort((one, other) => one - other);
const answer: Waits = {
  reads: waits.length,
  median: waits[waits.length >> 1] ?? NaN,
  percentile99: waits[Math.floor(waits.length * 0.99)] ?? NaN,
  longest: waits.at(-1) ?? NaN,
};
process.send?.(answer);
process.disconnect();
