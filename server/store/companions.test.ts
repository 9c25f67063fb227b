import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCompanion } from '../../core/fhir/companion.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { FileStore } from './store.ts';

let folder: string;
let store: FileStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-companions-'));
  store = await openRecordStore(join(folder, 'records.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const doer = { who: 'a', requestId: 'r' };
const keep = (id: string, family: string) =>
  store.companions.keep(
    readCompanion('Patient', `{"resourceType":"Patient","id":"${id}","name":[{"family":"${family}"}]}`),
    doer,
  );

test('the stamp is another whenever there are others, and the same where there are the same', async () => {
  let changes = 0;
  store.companions.onChange(() => (changes += 1));
  const stamps = [store.companions.stamp()];
  const noted = async (work: Promise<unknown>) => {
    await work;
    stamps.push(store.companions.stamp());
  };
  await noted(keep('1', 'A'));
  await noted(keep('2', 'B'));
  await noted(keep('2', 'C'));
  // As many as before, the last of them like the one before.
  await noted(store.companions.remove('Patient', doer));
  await noted(Promise.all([keep('1', 'D'), keep('2', 'C')]));
  await noted(store.erase([{ type: 'Patient', id: '1', who: 'a', reason: 'Asked for.', requestId: 'r' }]));
  // None are none.
  expect(stamps[4]).toBe(stamps[0]);
  expect(new Set(stamps.slice(1)).size).toBe(stamps.length - 1);
  expect(changes).toBe(7);
  await keep('2', 'C');
  expect([store.companions.stamp(), changes]).toEqual([stamps.at(-1), 7]);
});

test('a restart knows the same stamp', async () => {
  await keep('1', 'A');
  const stamp = store.companions.stamp();
  await store.close();
  store = await openRecordStore(join(folder, 'records.db'));
  expect(store.companions.stamp()).toBe(stamp);
});
