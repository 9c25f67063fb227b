import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { carePlan } from '../testing/test-server.ts';
import { createService } from './service.ts';

test('increases lastUpdated from version to version when the clock goes back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-clock-'));
  const store = await openRecordStore(join(folder, 'records.db'));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  let now = Date.UTC(2026, 5, 1);
  const clock = () => now;
  const service = createService({
    store,
    clock,
    newId: randomUUID,
    level: 'standard',
    requireIfMatch: false,
  });
  const request = { type: 'CarePlan', author: 'test' } as const;

  const { version: firstVersion } = await service.create({ ...request, text: carePlan('Patient/p') });
  now -= 86_400_000;
  const update = { ...request, id: firstVersion.id, text: carePlan('Patient/p', ',"title":"Two"') };
  const { version: secondVersion } = await service.update(update);
  expect([firstVersion.lastUpdated, secondVersion.lastUpdated]).toEqual([
    '2026-06-01T00:00:00.000Z',
    '2026-06-01T00:00:00.001Z',
  ]);
  const { versions } = await store.history('CarePlan', { id: firstVersion.id }, 10);
  expect(Array.from(versions, ({ version }) => version)).toEqual([2, 1]);
});
