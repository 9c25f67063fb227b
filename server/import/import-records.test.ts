import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readJsonEntries } from '../../core/import/read-json.ts';
import type { RecordService } from '../fhir/service.ts';

import { importRecords, type Candidate } from './import-records.ts';

/** A service that works for so many milliseconds on each record before it waits for the store. */
function busyService(milliseconds: number) {
  const storedTexts: string[] = [];
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const importRecord = async ({ text }: { readonly text: string }) => {
    now += milliseconds;
    storedTexts.push(text);
    await setImmediate();
    return { result: 'stored' as const, id: 'a', content: { version: 1, text } };
  };
  const typeOf = () => 'CarePlan';
  const nothing = () => Promise.resolve();
  const startBatch = () =>
    Promise.resolve({
      source: 'batch:a',
      lineOf: () => undefined,
      add: nothing,
      end: nothing,
      close: nothing,
    });
  const service: Partial<RecordService> = { importRecord, typeOf, startBatch };
  return { storedTexts, service: service as RecordService };
}

function candidates(count: number): AsyncIterable<Candidate> {
  const text = '{"resourceType":"CarePlan"}';
  return Readable.from(Array.from({ length: count }, (_, index) => ({ path: `line ${index + 1}`, text })));
}

test.each([
  ['of records that take long, few are handed over before others have a turn', 2, 3],
  ['of records that take no time, many are committed together', 0, 40],
])('%s', async (_name, milliseconds, expectedBatch) => {
  const { storedTexts, service } = busyService(milliseconds);
  const results = importRecords(service, candidates(60), {
    author: 'test',
    keepIds: false,
    dryRun: false,
    dataDir: 'unused',
  });
  expect((await results.next()).value).toEqual({ place: 1, result: 'stored', record: 'CarePlan/a' });
  expect(storedTexts).toHaveLength(expectedBatch);
  let remainingRecords = 59;
  for await (const { result } of results) remainingRecords -= result === 'stored' ? 1 : 0;
  expect(remainingRecords).toBe(0);
});

test('lets other work run while 50,000 entries without a resource arrive at once', async () => {
  let turns = 0;
  const countTurn = () => {
    turns += 1;
    next = globalThis.setImmediate(countTurn);
  };
  let next = globalThis.setImmediate(countTurn);
  onTestFinished(() => clearImmediate(next));
  async function* body() {
    yield await Promise.resolve(Buffer.from(`{"resourceType":"Bundle","entry":[${'{},'.repeat(49_999)}{}]}`));
  }
  const entries = readJsonEntries(body(), 1_000_000, false);
  const { service } = busyService(0);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  let skipped = 0;
  let turnsOfReading: number | undefined;
  const options = { author: 'test', keepIds: false, dryRun: false, dataDir: 'unused' };
  for await (const { result } of importRecords(service, entries, options)) {
    turnsOfReading ??= turns;
    skipped += result === 'skipped' ? 1 : 0;
  }
  expect(turnsOfReading).toBeGreaterThan(100);
  expect(skipped).toBe(50_000);
  expect(turns).toBeGreaterThan(100);
});
