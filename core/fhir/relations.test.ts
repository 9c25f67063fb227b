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
])('%s %j replaces the record 1: %s', (type, members, is) => {
  expect(replaces(type, record(members), '1')).toBe(is);
});

test('a reference that leads nowhere is told at the reference itself', () => {
  const found = [{ rule: 'store/dangling-reference', member: 'relatesTo', value: '1' }] as const;
  expect(relationIssues(record(to('appends')), found as never)).toMatchObject([
    { pointer: '/relatesTo/0/targetReference' },
  ]);
});
