import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { listSupportedParameters } from './offered-parameters.ts';

const supportedNames = (statement: object) =>
  listSupportedParameters(scan(JSON.stringify(statement)).root, 'CarePlan');

test('lists the distinct parameters of the type', () => {
  const ward = { name: 'ward', type: 'token', documentation: 'The ward.' };
  const resource = [
    { type: 'CarePlan', searchParam: [{ name: 'status', type: 'token' }, ward, ward] },
    { type: 'Composition', searchParam: [{ name: 'title' }] },
  ];
  expect(supportedNames({ rest: [{ mode: 'server', resource }] })).toEqual([
    { name: 'status', type: 'token' },
    ward,
  ]);
});

test('returns undefined without a statement for the type or with an unreadable one', () => {
  expect(supportedNames({ rest: [{ resource: [{ type: 'CarePlan' }] }] })).toBeUndefined();
  expect(supportedNames({ rest: 'none' })).toBeUndefined();
  expect(listSupportedParameters(undefined, 'CarePlan')).toBeUndefined();
});
