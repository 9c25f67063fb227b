import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killAt } from './testing/killed.ts';

test.each(['add', 'remove'] as const)(
  'leaves the packages as before or after a kill at any step of an %s',
  async (task) => {
    let ended = false;
    let step = 0;
    while (!ended) {
      step += 1;
      const dataDir = mkdtempSync(join(tmpdir(), 'chartkeeper-killed-'));
      try {
        ended = await killAt(dataDir, step, task);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    }
    expect(step).toBeGreaterThan(4);
  },
);
