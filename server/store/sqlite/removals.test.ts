import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { carePlan } from '../../testing/test-server.ts';
import { openRecords } from '../../start.ts';
import { verifyFile } from './verify.ts';

const text = carePlan('Patient/p', ',"id":"a"');
const removing = (version: number) =>
  ({ type: 'CarePlan', id: 'a', version, who: 'a', requestId: '', now: Date.now() }) as const;

test.each([1, 2])(
  'leaves a sound file after %i removals of a record that is not indexed yet',
  async (count) => {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-removals-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { store, service } = await openRecords(folder);
    for (let number = 1; number <= count; number += 1) {
      await service.importRecord({ type: 'CarePlan', text, author: 'a', keepIds: true });
      expect(await store.remove([removing(number)])).toEqual([true]);
    }
    const { version } = await service.create({ type: 'CarePlan', text, author: 'a' });
    expect(version.version).toBe(1);
    await store.close();
    const problems: string[] = [];
    for await (const { where, problem } of verifyFile(join(folder, 'records.db')))
      problems.push(`${where} ${problem}`);
    expect(problems).toEqual([]);
  },
);
