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
const storePatient = (id: string) =>
  store.supportingResources.store(
    readSupportingResource('Patient', `{"resourceType":"Patient","id":"${id}"}`),
    actor,
  );
const readFingerprint = () => store.supportingResources.getFingerprint();

test('changes the fingerprint on an erasure, and returns to the initial one when empty', async () => {
  const initialFingerprint = await readFingerprint();
  let changeCount = 0;
  await storePatient('1');
  await storePatient('2');
  const fingerprintBefore = await readFingerprint();
  store.supportingResources.onChange(() => (changeCount += 1));
  await store.erase([{ type: 'Patient', id: '1', who: 'a', reason: 'Asked for.', requestId: 'r' }]);
  expect([(await readFingerprint()) === fingerprintBefore, changeCount]).toEqual([false, 1]);
  await store.supportingResources.remove('Patient', actor);
  expect(await readFingerprint()).toBe(initialFingerprint);
});

test('keeps the fingerprint across a restart', async () => {
  await storePatient('1');
  const fingerprintBefore = await readFingerprint();
  await store.close();
  store = await openRecordStore(join(folder, 'records.db'));
  expect(await readFingerprint()).toBe(fingerprintBefore);
});
