import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { resourceTypes, type ResourceType } from '../resource.ts';
import { validate } from './validate.ts';

const data = resolve(import.meta.dirname, '../../../../shared/data');
const missing = !existsSync(data);
const today = '2026-08-01';

/** Number of real records that break each rule. Each count was verified by hand against FHIR R4. */
const expected = {
  'cmp-1': 4,
  'contained-twice': 1,
  'date-time-zone': 1,
  'dom-3': 11,
  'r4-invariant': 10,
  'ref-1': 18,
  'fhir-release': 2,
  'schema-primitive': 3,
  'schema-required': 11,
  'schema-type': 3,
  'schema-unknown': 2,
  'tim-8': 1,
};

function errorsIn(text: string, type: ResourceType) {
  return validate(readRecord(text, type), type, { today }).filter(({ severity }) => severity === 'error');
}

describe.skipIf(missing)(`real records${missing ? ` (not run: ${data} is not there)` : ''}`, () => {
  test('finds in 267 records exactly the errors that were found by hand', () => {
    const counts: Record<string, number> = {};
    let records = 0;
    for (const type of resourceTypes) {
      for (const file of readdirSync(`${data}/${type}`)) {
        records += 1;
        const text = readFileSync(`${data}/${type}/${file}`, 'utf8');
        for (const rule of new Set(errorsIn(text, type).map((finding) => finding.rule))) {
          counts[rule] = (counts[rule] ?? 0) + 1;
        }
      }
    }
    expect(records).toBe(267);
    expect(counts).toEqual(expected);
  });

  test('finds no error in the Synthea CarePlans', () => {
    const lines = readFileSync(`${data}/synthea-careplans.ndjson`, 'utf8').split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(1_000);
    expect(lines.flatMap((line) => errorsIn(line, 'CarePlan'))).toEqual([]);
  });
});
