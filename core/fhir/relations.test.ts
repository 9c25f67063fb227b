import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import type { JsonObject } from '../json/node.ts';
import { relationIssues, replaces } from './relations.ts';
import type { ResourceType } from './resource.ts';

const record = (members: object) => scan(JSON.stringify(members)).root as JsonObject;
const to = (code: string) => ({ relatesTo: [{ code, targetReference: { reference: 'Composition/1' } }] });

test.each<[type: ResourceType, members: object, is: boolean]>([
  ['CarePlan', { replaces: [{ reference: 'CarePlan/2' }, { reference: 'CarePlan/1' }] }, true],
  ['CarePlan', { replaces: [{ display: '1' }] }, false],
  ['CarePlan', { partOf: [{ reference: 'CarePlan/1' }] }, false],
  ['Composition', to('replaces'), true],
  ['Composition', to('appends'), false],
])('decides if %s %j replaces record 1: %s', (type, members, expected) => {
  expect(replaces(type, record(members), '1')).toBe(expected);
});

test('reports a dangling reference at the reference itself', () => {
  const related = [{ rule: 'store/dangling-reference', name: 'relatesTo', value: '1' }] as const;
  expect(relationIssues(record(to('appends')), related as never)).toMatchObject([
    { pointer: '/relatesTo/0/targetReference' },
  ]);
});
