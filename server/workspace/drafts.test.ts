import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from './server-key.ts';
import { openWorkspace } from './workspace.ts';

test('keeps drafts across a restart, newest first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-drafts-'));
  const path = join(folder, 'workspace.db');
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const firstWorkspace = await openWorkspace(path, () => now);
  const draft = { type: 'CarePlan', recordId: 'a', title: 'A', window: 'w', base: '{}' } as const;
  await firstWorkspace.drafts.save(localServer, 'one', { ...draft, text: '{"n":1.00' });
  now += 1000;
  await firstWorkspace.drafts.save(localServer, 'two', { ...draft, text: '2' });
  await firstWorkspace.close();

  const secondWorkspace = await openWorkspace(path, () => now);
  expect(await secondWorkspace.drafts.list(localServer)).toMatchObject([
    { id: 'two', saved: '2026-01-01T00:00:01.000Z' },
    { id: 'one', saved: '2026-01-01T00:00:00.000Z' },
  ]);
  expect((await secondWorkspace.drafts.read(localServer, 'one'))?.text).toBe('{"n":1.00');
  await secondWorkspace.close();
  await rm(folder, { recursive: true, force: true });
});
