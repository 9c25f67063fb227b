import { expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { carePlan, type Draft } from './testing/base-records.ts';
import { validate, listRejections } from './validate.ts';

function find(change: Draft) {
  const record = readRecord(JSON.stringify({ ...carePlan(), ...change }), 'CarePlan');
  return validate(record, 'CarePlan', { today: '2026-08-01' });
}

const faulty = find({ status: 'x', intent: undefined, foo: 1, period: { end: '2020' } });

test('rejects the rules of each level, and never a warning', () => {
  const ids = (level: Parameters<typeof listRejections>[1]) =>
    listRejections(faulty, level).map(({ rule }) => rule);
  expect(faulty.map(({ rule }) => rule)).toEqual(['schema-required', 'schema-code', 'schema-unknown']);
  expect(ids('off')).toEqual([]);
  expect(ids('standard')).toEqual(['schema-code']);
  expect(ids('strict')).toEqual(['schema-required', 'schema-code', 'schema-unknown']);
  expect(listRejections(find({ period: { end: '2020' } }), 'strict')).toEqual([]);
});

test('only flags contained resources and custom rules at the level standard', () => {
  const goal = {
    resourceType: 'Goal',
    id: 'g',
    lifecycleStatus: 'on',
    description: 1,
    subject: { display: 'x' },
  };
  const findings = find({ contained: [goal], category: [{ coding: [{ system: 'loinc' }] }] });
  expect(findings.map(({ rule }) => rule)).toEqual(['schema-code', 'schema-type', 'system-absolute']);
  expect(listRejections(findings, 'standard')).toEqual([]);
  expect(listRejections(findings, 'strict')).toHaveLength(3);
});
