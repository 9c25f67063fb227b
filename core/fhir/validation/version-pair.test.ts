import { describe, expect, test } from 'vitest';
import { objectIn } from '../../json/scan.ts';
import type { JsonObject } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { validate, rejectedFindings, VersionPair } from './validate.ts';

const today = '2026-08-01';
const base = {
  CarePlan: {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/1' },
  },
  Composition: {
    resourceType: 'Composition',
    status: 'preliminary',
    date: '2026-01-01',
    title: 'Letter',
    type: { text: 'Letter' },
    author: [{ display: 'Dr A' }],
  },
};
type Members = Readonly<Record<string, unknown>>;

function record(type: ResourceType, members: Members): JsonObject {
  const root = objectIn(JSON.stringify({ ...base[type], ...members }));
  if (!root) throw new TypeError('The record is no object.');
  return root;
}

/** Returns rule and expression of the errors for which an update is rejected at the level `strict`. */
function rejected(type: ResourceType, before: Members, after: Members): string[] {
  const versions = new VersionPair(record(type, before), record(type, after));
  const findings = validate(versions.after, type, { today });
  const options = { type, versions, findings, level: 'strict', today } as const;
  return rejectedFindings(options).map(({ rule, expression }) => `${rule} ${expression}`);
}

const detail = (status: string, description: string) => ({ detail: { status, description } });
const plan = (...activities: unknown[]) => ({ activity: activities });
const [activityA, activityB, activityC] = [
  detail('wrong', 'A'),
  detail('scheduled', 'B'),
  detail('wrong', 'C'),
];
const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' };
const letter = (...section: unknown[]) => ({ section });
const goal = (id: string, lifecycleStatus: string) => ({
  resourceType: 'Goal',
  id,
  lifecycleStatus,
  description: { text: id },
  subject: { reference: 'Patient/1' },
});
const goals = (...resources: { readonly id: string }[]) => ({
  contained: resources,
  goal: resources.map(({ id }) => ({ reference: `#${id}` })),
});
const givenNames = (values: (string | null)[], siblings: (object | null)[]) => ({
  extension: [{ url: 'http://example.org/h', valueHumanName: { given: values, _given: siblings } }],
});
const incompleteExtension = { extension: [{ url: 'http://example.org/u' }] };

test.each<[string, ResourceType, Members, Members]>([
  [
    'the first of equal errors is removed',
    'CarePlan',
    plan(activityA, activityB, activityC),
    plan(activityB, activityC),
  ],
  [
    'the last of equal errors is removed',
    'CarePlan',
    plan(activityA, activityB, activityC),
    plan(activityA, activityB),
  ],
  [
    'the first of equal errors is corrected',
    'CarePlan',
    plan(activityA, activityB, activityC),
    plan(detail('completed', 'A'), activityB, activityC),
  ],
  [
    'an item is inserted in front',
    'CarePlan',
    plan(activityA, activityC),
    plan(activityB, activityA, activityC),
  ],
  [
    'items are moved',
    'CarePlan',
    plan(activityA, activityB, activityC),
    plan(activityC, activityA, activityB),
  ],
  [
    'another element of a faulty item changes',
    'CarePlan',
    plan(activityA, activityB),
    plan({ detail: { ...activityA.detail, location: { display: 'x' } } }, activityB),
  ],
  ['the first of equal items is removed', 'CarePlan', activityOf(3), activityOf(2)],
  [
    'the first empty section is removed',
    'Composition',
    letter({ title: 'A' }, { title: 'B', text }, { title: 'C' }),
    letter({ title: 'B', text }, { title: 'C' }),
  ],
  [
    'the first empty section is filled',
    'Composition',
    letter({ title: 'A' }, { title: 'B', text }, { title: 'C' }),
    letter({ title: 'A', text }, { title: 'B', text }, { title: 'C' }),
  ],
  [
    'a section before nested empty ones is removed',
    'Composition',
    letter({ title: 'A' }, { title: 'B', section: [{ title: 'C' }, { title: 'D' }] }),
    letter({ title: 'B', section: [{ title: 'C' }, { title: 'D' }] }),
  ],
  [
    'a contained resource before a faulty one is removed',
    'CarePlan',
    goals(goal('a', 'on'), goal('b', 'off')),
    goals(goal('b', 'off')),
  ],
  [
    'a value and its faulty sibling are removed',
    'CarePlan',
    givenNames(['A', 'B', 'C'], [incompleteExtension, null, incompleteExtension]),
    givenNames(['B', 'C'], [null, incompleteExtension]),
  ],
  [
    'a missing element is added to the first of two items',
    'CarePlan',
    plan({ detail: { description: 'A' } }, { detail: { description: 'B' } }),
    plan(detail('scheduled', 'A'), { detail: { description: 'B' } }),
  ],
  [
    'an unknown element is removed from the first of two items',
    'CarePlan',
    plan({ x: 1, ...activityB }, { x: 1, ...detail('scheduled', 'D') }),
    plan(activityB, { x: 1, ...detail('scheduled', 'D') }),
  ],
  [
    'the members of excluding choices change their order',
    'CarePlan',
    { extension: [{ url: 'http://example.org/e', valueCode: 'a', valueString: 'b' }] },
    { extension: [{ url: 'http://example.org/e', valueString: 'b', valueCode: 'a' }] },
  ],
  [
    'items with one id change their order',
    'CarePlan',
    plan({ id: 'x', ...activityB }, { id: 'x', ...detail('scheduled', 'D') }),
    plan({ id: 'x', ...detail('scheduled', 'D') }, { id: 'x', ...activityB }),
  ],
  ['escapes of a wrong value are written otherwise', 'CarePlan', { status: 'ä' }, { status: '\u00e4' }],
])('accepts an update if %s', (_description, type, before, after) => {
  expect(rejected(type, before, after)).toEqual([]);
});

function activityOf(count: number): Members {
  return plan(...Array.from({ length: count }, () => detail('wrong', 'A')));
}

test.each<[string, ResourceType, Members, Members, string[]]>([
  [
    'the same rule fails at a new item',
    'CarePlan',
    plan(activityA, activityB),
    plan(activityA, activityB, activityC),
    ['schema-code CarePlan.activity[2].detail.status'],
  ],
  [
    'an equal faulty item is added',
    'CarePlan',
    activityOf(1),
    activityOf(2),
    ['schema-code CarePlan.activity[1].detail.status'],
  ],
  [
    'a wrong value is replaced by another wrong value',
    'CarePlan',
    plan(activityA, activityB),
    plan(detail('worse', 'A'), activityB),
    ['schema-code CarePlan.activity[0].detail.status'],
  ],
  [
    'an element is broken while another is corrected',
    'CarePlan',
    plan({ id: 'a', ...activityA }, { id: 'b', ...activityB }),
    plan({ id: 'a', ...detail('scheduled', 'A') }, { id: 'b', ...detail('wrong', 'B') }),
    ['schema-code CarePlan.activity[1].detail.status'],
  ],
  [
    'another element is missing at the same parent',
    'CarePlan',
    { intent: undefined },
    { subject: undefined },
    ['schema-required CarePlan'],
  ],
  [
    'a section is emptied while another is filled',
    'Composition',
    letter({ title: 'A' }, { title: 'B', text }),
    letter({ title: 'A', text }, { title: 'B' }),
    ['cmp-1 Composition.section[1]'],
  ],
  [
    'a further item has an id that two have',
    'CarePlan',
    plan({ id: 'x', ...activityB }, { id: 'x', ...activityC }),
    plan({ id: 'x', ...activityB }, { id: 'x', ...activityC }, { id: 'x', ...activityB }),
    ['element-id-twice CarePlan.activity[2].id'],
  ],
  [
    'a contained resource gets the error that another had',
    'CarePlan',
    goals(goal('a', 'on'), goal('b', 'active')),
    goals(goal('a', 'active'), goal('b', 'on')),
    ['schema-code CarePlan.contained[1].lifecycleStatus'],
  ],
  ['the version before was clean', 'CarePlan', {}, { status: 'on' }, ['schema-code CarePlan.status']],
])('rejects the added error if %s', (_description, type, before, after, expected) => {
  expect(rejected(type, before, after)).toEqual(expected);
});

describe('moved issues', () => {
  const code = (value: string) => [{ coding: [{ system: 'http://example.org/codes', code: value }] }];
  const moves = (rule: string, pointer: string, before: Members, after: Members) =>
    new VersionPair(record('CarePlan', before), record('CarePlan', after)).movedIssues([{ rule, pointer }]);
  const status = (index: number) => `/activity/${index}/detail/status`;

  test.each([
    ['schema-code', status(1)],
    ['my/named', status(1)],
    ['r4-invariant', '/activity/1'],
    ['profile/plan#CarePlan.activity.detail.status/code', status(1)],
  ])('follow the element of %s', (rule, pointer) => {
    const to = pointer.replace('1', '0');
    expect(moves(rule, pointer, plan(activityA, activityB), plan(activityB))).toEqual([
      { rule, previousPointer: pointer, nextPointer: to },
    ]);
  });

  test('leave out unmoved elements', () => {
    expect(moves('schema-code', status(0), plan(activityA, activityB), plan(activityA))).toEqual([]);
    expect(moves('my/titled', '', { title: 'A' }, { title: 'B' })).toEqual([]);
  });

  test('end with the element', () => {
    expect(moves('my/named', status(0), plan(activityA, activityB), plan(activityB))).toEqual([
      { rule: 'my/named', previousPointer: status(0) },
    ]);
  });

  test.each([
    ['schema-code', status(0), plan(activityA), plan({ detail: { ...activityA.detail, status: 'worse' } })],
    [
      'profile/plan#CarePlan.category/pattern',
      '/category/0',
      { category: code('a') },
      { category: code('b') },
    ],
  ])('end with the value that %s is about', (rule, pointer, before, after) => {
    expect(moves(rule, pointer, before, after)).toEqual([{ rule, previousPointer: pointer }]);
  });

  test.each([
    ['my/named', status(0), plan(activityA), plan({ detail: { ...activityA.detail, status: 'worse' } })],
    ['profile/plan#CarePlan.category/min', '/category/0', { category: code('a') }, { category: code('b') }],
    ['control-character', '/title', { title: 'a\u0001b\u0001' }, { title: 'ab\u0001' }],
  ])('stay at another value of %s', (rule, pointer, before, after) => {
    expect(moves(rule, pointer, before, after)).toEqual([]);
  });
});
