import { expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { refusals } from './levels.ts';
import { carePlan, type Draft } from './testing/base-records.ts';
import { validate } from './validate.ts';

function find(change: Draft) {
  const record = readRecord(JSON.stringify({ ...carePlan(), ...change }), 'CarePlan');
  return validate(record, 'CarePlan', { today: '2026-08-01' });
}

const faulty = find({ status: 'x', intent: undefined, foo: 1, period: { end: '2020' } });

test('each level refuses what it names, and never a warning', () => {
  const ids = (level: Parameters<typeof refusals>[1]) => refusals(faulty, level).map(({ rule }) => rule);
  expect(faulty.map(({ rule }) => rule)).toEqual(['schema-required', 'schema-code', 'schema-unknown']);
  expect(ids('off')).toEqual([]);
  expect(ids('standard')).toEqual(['schema-code']);
  expect(ids('strict')).toEqual(['schema-required', 'schema-code', 'schema-unknown']);
  expect(refusals(find({ period: { end: '2020' } }), 'strict')).toEqual([]);
});

test('the level standard flags what is inside contained resources and what later rules find, strict refuses it', () => {
  const goal = {
    resourceType: 'Goal',
    id: 'g',
    lifecycleStatus: 'on',
    description: 1,
    subject: { display: 'x' },
  };
  const found = find({ contained: [goal], category: [{ coding: [{ system: 'loinc' }] }] });
  expect(found.map(({ rule }) => rule)).toEqual(['schema-code', 'schema-type', 'system-absolute']);
  expect(refusals(found, 'standard')).toEqual([]);
  expect(refusals(found, 'strict')).toHaveLength(3);
});
