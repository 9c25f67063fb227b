import { expect, test } from 'vitest';
import { parseAddress } from './address.ts';

test.each([
  ['/fhir-r4/v1/CarePlan?subject=1&_count=5', { type: 'CarePlan', query: 'subject=1&_count=5' }],
  ['/fhir-r4/v1/CarePlan/a%2Fb', { type: 'CarePlan', id: 'a/b', query: '' }],
  ['/fhir-r4/v1/CarePlan/%', { type: 'CarePlan', id: '%', query: '' }],
  ['/fhir-r4/v1/CarePlan/', { type: 'CarePlan', query: '' }],
  ['/fhir-r4/v1/Composition/_search', { type: 'Composition', operation: '_search', query: '' }],
  [
    '/fhir-r4/v1/Composition/7/_history/3',
    { type: 'Composition', id: '7', operation: '_history', version: 3, query: '' },
  ],
  ['/fhir-r4/v1/Composition/7/_history', { type: 'Composition', id: '7', operation: '_history', query: '' }],
  [
    '/fhir-r4/v1/CarePlan/7/_history/3?a=b?c',
    { type: 'CarePlan', id: '7', operation: '_history', version: 3, query: 'a=b?c' },
  ],
  ['/fhir-r4/v1/CarePlan/7/_history/0', { type: 'CarePlan', id: '7', operation: '_history', query: '' }],
  ['/fhir-r4/v1/CarePlan/a%2Fb', { type: 'CarePlan', id: 'a/b', query: '' }],
  ['/fhir-r4/v1/CarePlan/%E0%A4', { type: 'CarePlan', id: '%E0%A4', query: '' }],
  ['/fhir-r4/v1/CarePlan/$validate', { type: 'CarePlan', operation: '$validate', query: '' }],
  ['/fhir-r4/v1/metadata', undefined],
  ['/fhir-r4/v1', undefined],
  ['/app/tokens', undefined],
  ['/fhir-r4/v2/CarePlan', undefined],
  ['/fhir-r4/v1/CarePlan.json/7', undefined],
])('%s', (path, address) => {
  expect(parseAddress(path)).toEqual(address);
});
