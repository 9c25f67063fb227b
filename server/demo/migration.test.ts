import { describe, expect, test } from 'vitest';
import { readRecord } from '../../core/fhir/record.ts';
import { rules } from '../../core/fhir/validation/rules.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import { generateClinic } from './generate.ts';
import { documentDefects } from './document-defects.ts';
import { generateMigration, type MigratedRecord } from './migration.ts';
import { planDefects } from './plan-defects.ts';

const today = '2026-11-21';
const planned = [...planDefects, ...documentDefects].reduce((sum, { times }) => sum + times, 0);
const migrated = [...generateMigration()];

function found({ type, id, text }: Pick<MigratedRecord, 'type' | 'id' | 'text'>) {
  return validate(readRecord(text, type), type, { today }).map(
    ({ rule, tokens }) => `${type}/${id} ${rule} ${formatPointer(tokens)}`,
  );
}

test('the clean clinic has no finding, neither error nor warning', () => {
  expect([...generateClinic()].flatMap(found)).toEqual([]);
});

describe('the migration gone wrong', () => {
  test('each defect is found where it was planted, and nothing else is', () => {
    const told = migrated.flatMap(({ defect, later }) =>
      defect && later === undefined ? [`${defect.type}/${defect.id} ${defect.rule} ${defect.pointer}`] : [],
    );
    expect(migrated.flatMap(found)).toEqual(told);
  });

  test('each rule that a stored record can break is planted', () => {
    // The service stores neither another type's record nor one that nests deeper than a body may; that a validation
    // stopped is said of a thousand faults.
    const unstorable = ['stopped', 'resource-type', 'depth'];
    const planted = new Set(migrated.map(({ defect }) => defect?.rule));
    expect(rules.map(({ id }) => id).filter((id) => !planted.has(id))).toEqual(unstorable);
  });

  test.each([1, 2, 7, 4_000_000])('of seed %i every planned defect finds a record', (seed) => {
    const records = [...generateMigration({ seed })];
    expect(records.filter(({ defect }) => defect)).toHaveLength(planned);
    expect(records).toEqual([...generateMigration({ seed })]);
  });

  test('it shares no id with the clean clinic, and most of its records are sound', () => {
    const clean = new Set([...generateClinic()].map(({ id }) => id));
    expect(migrated.filter(({ id }) => clean.has(id))).toEqual([]);
    expect(migrated.filter(({ defect }) => !defect).length).toBeGreaterThan(planned);
  });
});
