import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { safetyOf } from './testing/dropped-values.ts';

const settings = { today: '2026-11-24', zoneOf: () => '+01:00' };
const data = resolve(import.meta.dirname, '../../../../shared/data');
const missing = !existsSync(data);

interface RealRecord {
  readonly name: string;
  readonly type: ResourceType;
  readonly root: JsonObject;
}

function* realRecords(): Generator<RealRecord> {
  for (const path of globSync(`${data}/{CarePlan,Composition}/*.json`)) {
    const { root } = scan(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    const type = path.includes('/CarePlan/') ? 'CarePlan' : 'Composition';
    if (root.kind === 'object') yield { name: path, type, root };
  }
  const lines = readFileSync(`${data}/synthea-careplans.ndjson`, 'utf8').split('\n').filter(Boolean);
  for (const [index, line] of lines.entries()) {
    const { root } = scan(line);
    if (root.kind === 'object') yield { name: `synthea ${index}`, type: 'CarePlan', root };
  }
}

describe.skipIf(missing)(`real records${missing ? ` (not run: ${data} is not there)` : ''}`, () => {
  test('loses no value by a fix that is called safe', () => {
    let [records, safe, unsafe] = [0, 0, 0];
    for (const { name, type, root } of realRecords()) {
      const report = safetyOf(root, type, settings);
      expect([name, report.lossy]).toEqual([name, []]);
      records += 1;
      safe += report.safe;
      unsafe += report.unsafe;
    }
    expect(records).toBeGreaterThan(2000);
    expect(safe).toBeGreaterThan(50);
    expect(unsafe).toBeGreaterThan(20);
  }, 300_000);
});
