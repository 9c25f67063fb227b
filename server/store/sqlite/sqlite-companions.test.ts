import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { FileStore } from '../store.ts';

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

const actor = { who: 'a', requestId: 'r' };
const keep = (id: string) =>
  store.companions.keep(readSupportingResource('Patient', `{"resourceType":"Patient","id":"${id}"}`), actor);
const stamp = () => store.companions.stamp();

test('reports an erasure with a new fingerprint, and an empty store with the initial one', async () => {
  const initialStamp = await stamp();
  let changes = 0;
  await keep('1');
  await keep('2');
  const before = await stamp();
  store.companions.onChange(() => (changes += 1));
  await store.erase([{ type: 'Patient', id: '1', who: 'a', reason: 'Asked for.', requestId: 'r' }]);
  expect([(await stamp()) === before, changes]).toEqual([false, 1]);
  await store.companions.remove('Patient', actor);
  expect(await stamp()).toBe(initialStamp);
});

test('keeps the fingerprint across a restart', async () => {
  await keep('1');
  const before = await stamp();
  await store.close();
  store = await openRecordStore(join(folder, 'records.db'));
  expect(await stamp()).toBe(before);
});
