import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { offeredParameters } from './offered-parameters.ts';

const offered = (statement: object) => offeredParameters(scan(JSON.stringify(statement)).root, 'CarePlan');

test('a server’s parameters are those of the type, each once', () => {
  const ward = { name: 'ward', type: 'token', documentation: 'The ward.' };
  const resource = [
    { type: 'CarePlan', searchParam: [{ name: 'status', type: 'token' }, ward, ward] },
    { type: 'Composition', searchParam: [{ name: 'title' }] },
  ];
  expect(offered({ rest: [{ mode: 'server', resource }] })).toEqual([
    { name: 'status', type: 'token' },
    ward,
  ]);
});

test('a server that says nothing of the type, or nothing that can be read, offers what is not known', () => {
  expect(offered({ rest: [{ resource: [{ type: 'CarePlan' }] }] })).toBeUndefined();
  expect(offered({ rest: 'none' })).toBeUndefined();
  expect(offeredParameters(undefined, 'CarePlan')).toBeUndefined();
});
