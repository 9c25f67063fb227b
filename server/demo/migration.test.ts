import { describe, expect, test } from 'vitest';
import { readRecord } from '../../core/fhir/record.ts';
import { rules } from '../../core/fhir/validation/rules.ts';
import { validate } from '../../core/fhir/validation/validate.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import { generateClinic } from './generate.ts';
import { generateMigration, documentDefects, type MigratedRecord } from './migration.ts';
import { planDefects } from './plan-defects.ts';

const today = '2026-11-21';
const expectedDefects = [...planDefects, ...documentDefects].reduce((sum, { times }) => sum + times, 0);
const migrated = [...generateMigration()];

function listFindings({ type, id, text }: Pick<MigratedRecord, 'type' | 'id' | 'text'>) {
  return validate(readRecord(text, type), type, { today }).map(
    ({ rule, tokens }) => `${type}/${id} ${rule} ${formatPointer(tokens)}`,
  );
}

test('generates a clean clinic without errors and warnings', () => {
  expect([...generateClinic()].flatMap(listFindings)).toEqual([]);
});

describe('the migration gone wrong', () => {
  test('has exactly one finding per defect, at its location', () => {
    const seededDefects = migrated.flatMap(({ defect, laterText }) =>
      defect && laterText === undefined
        ? [`${defect.type}/${defect.id} ${defect.rule} ${defect.pointer}`]
        : [],
    );
    expect(migrated.flatMap(listFindings)).toEqual(seededDefects);
  });

  test('seeds every rule that a stored record can break', () => {
    // The service stores no record of another type and none that is nested too deeply. `stopped` needs a
    // thousand problems.
    // The old system had records of R4.
    const unstorable = ['fhir-release', 'stopped', 'resource-type', 'depth'];
    const seededRules = new Set(migrated.map(({ defect }) => defect?.rule));
    expect(rules.map(({ id }) => id).filter((id) => !seededRules.has(id))).toEqual(unstorable);
  });

  test.each([1, 2, 7, 4_000_000])('finds a record for every defect with seed %i', (seed) => {
    const records = [...generateMigration({ seed })];
    expect(records.filter(({ defect }) => defect)).toHaveLength(expectedDefects);
    expect(records).toEqual([...generateMigration({ seed })]);
  });

  test('shares no id with the clean clinic and contains mostly valid records', () => {
    const clean = new Set([...generateClinic()].map(({ id }) => id));
    expect(migrated.filter(({ id }) => clean.has(id))).toEqual([]);
    expect(migrated.filter(({ defect }) => !defect).length).toBeGreaterThan(expectedDefects);
  });
});
