import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRecords } from '../../start.ts';

test('counts stored records by type, also after a reset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-counts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { store, service } = await openRecords(folder);
  onTestFinished(() => store.close());
  const plan = JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p' },
  });
  const add = () => service.create({ type: 'CarePlan', text: plan, author: 'test' });

  expect(await store.count()).toEqual({ CarePlan: 0, Composition: 0 });
  const { version } = await add();
  expect(await store.count()).toEqual({ CarePlan: 1, Composition: 0 });
  await service.update({
    type: 'CarePlan',
    id: version.id,
    author: 'test',
    text: version.text.replace('active', 'completed'),
  });
  await Promise.all([add(), add()]);
  expect(await store.count()).toEqual({ CarePlan: 3, Composition: 0 });

  await store.files.empty(join(folder, 'before.db'), { who: 'test', requestId: '' });
  // The same number of records, of the other type.
  const text = JSON.stringify({
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'Note' },
    title: 'Note',
    subject: { reference: 'Patient/p' },
    date: '2026-01-01',
    author: [{ reference: 'Practitioner/p' }],
  });
  for (let number = 0; number < 3; number += 1) {
    await service.create({ type: 'Composition', text, author: 'test' });
  }
  expect(await store.count()).toEqual({ CarePlan: 0, Composition: 3 });
});
