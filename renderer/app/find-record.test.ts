import { expect, test } from 'vitest';
import { ApiFailure } from '../../core/api/failure.ts';
import { findRecords, parseRecordQuery } from './find-record.ts';

test.each([
  ['17', { id: '17', types: ['CarePlan', 'Composition'] }],
  [' Composition/a-b.1 ', { id: 'a-b.1', types: ['Composition'] }],
  ['http://127.0.0.1:4180/fhir-r4/v1/CarePlan/17/_history/2', { id: '17', types: ['CarePlan'] }],
  ['Patient/17', undefined],
  ['two words', undefined],
  ['', undefined],
])('parses %j as %j', (input, expected) => expect(parseRecordQuery(input)).toEqual(expected));

const client = {
  read: (type: string, id: string) =>
    id === 'broken'
      ? Promise.reject(new ApiFailure(500, undefined, undefined))
      : type === 'CarePlan' && id === 'a'
        ? Promise.resolve({ text: '{"resourceType":"CarePlan","id":"a","title":"Plan"}' })
        : Promise.reject(new ApiFailure(404, undefined, undefined)),
};

test('reads both types, skips missing records, and throws other errors', async () => {
  const types = ['CarePlan', 'Composition'] as const;
  expect(await findRecords(client, { id: 'a', types })).toEqual([
    { type: 'CarePlan', id: 'a', title: 'Plan' },
  ]);
  expect(await findRecords(client, { id: 'b', types })).toEqual([]);
  await expect(findRecords(client, { id: 'broken', types })).rejects.toThrow(ApiFailure);
});
