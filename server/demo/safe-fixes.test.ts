import { expect, test } from 'vitest';
import { safetyOf } from '../../core/fhir/fixes/testing/dropped-values.ts';
import { scan } from '../../core/json/scan.ts';
import { generateClinic } from './generate.ts';
import { generateMigration } from './migration.ts';

const settings = { today: '2026-11-24', zoneOf: () => '+01:00' };

test.each<
  [set: string, records: Iterable<{ type: 'CarePlan' | 'Composition'; text: string; laterText?: string }>]
>([
  ['clean clinic', generateClinic()],
  ['migration', generateMigration()],
])('loses no value of the %s by a fix that is safe', (set, records) => {
  let safe = 0;
  for (const { type, text, laterText } of records) {
    const { root } = scan(laterText ?? text);
    if (root.kind !== 'object') throw new TypeError('This is no record.');
    const report = safetyOf(root, type, settings);
    expect(report.lossy).toEqual([]);
    safe += report.safe;
  }
  if (set === 'migration') expect(safe).toBeGreaterThan(100);
});
