import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCriteria } from '../../../core/fhir/search.ts';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import { connect } from '../../sqlite/sqlite.ts';
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
    'batch:1',
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

test('makes one batch of the resources and records of a former program', async () => {
  await store.close();
  copyFileSync(join(import.meta.dirname, 'fixtures/records-v12.db'), join(folder, 'records.db'));
  const former = connect(join(folder, 'records.db'));
  former.exec(`INSERT INTO companion (type, id, full_url, sha256, body)
    VALUES ('Patient', 'p1', 'https://a.example/Patient/p1', x'00', '{}'), ('Group', 'g', NULL, x'00', '{}')`);
  former.close();
  store = await openRecordStore(join(folder, 'records.db'));
  const [patient] = await store.supportingResources.listNames('Patient', undefined, 10);
  const [group] = await store.supportingResources.listNames('Group', undefined, 10);
  expect(patient?.source).toMatch(/^batch:[0-9a-f]{32}$/);
  expect(group?.source).toBe(patient?.source);
  const { records } = await store.search(readCriteria('CarePlan', []), 1);
  const [record] = [...records];
  const origin = await store.supportingResources.readOrigin({ type: 'CarePlan', id: record?.id ?? '' });
  expect(origin).toMatchObject({ source: patient?.source, batch: patient?.source });
});
