import { beforeEach, expect, test, vi } from 'vitest';
import type { Kind } from '../../types/definition/rule.ts';
import type * as Module from './kinds.ts';

type Kinds = typeof Module;

let kinds: Kinds;
let times = 0;
// As nobody has used it: what the module makes once is made within the test.
beforeEach(async () => {
  times += 1;
  kinds = await vi.importActual<Kinds>(`./kinds.ts?${times}`);
});

const slotsOf = (kind: Kind) => [...kind.slots.keys()];

test('a resource names its own type, and one that is not known whichever it is', () => {
  const codes = (kind: Kind) => kind.slots.get('resourceType')?.codes;
  expect(codes(kinds.kindOf('CarePlan'))).toEqual(new Set(['CarePlan']));
  expect(codes(kinds.containedKind('Goal'))).toEqual(new Set(['Goal']));
  expect(codes(kinds.containedKind('Legacy'))).toBeUndefined();
  expect(kinds.kindOf('Period').slots.has('resourceType')).toBe(false);
});

test('of a resource that is not known, what all have is known', () => {
  const all = [
    'resourceType',
    'id',
    'meta',
    'implicitRules',
    '_implicitRules',
    'language',
    '_language',
    'text',
  ];
  expect(slotsOf(kinds.containedKind('Legacy')).toSorted()).toEqual(all.toSorted());
  for (const name of ['Legacy', undefined, 7, 'Quantity'])
    expect(kinds.isAnyResource(kinds.containedKind(name))).toBe(true);
  expect(kinds.isAnyResource(kinds.containedKind('Goal'))).toBe(false);
});

test('a primitive has a sibling, but for an id and a narrative', () => {
  const has = (type: string, name: string) => kinds.kindOf(type).slots.has(name);
  expect([has('CarePlan', '_title'), has('CarePlan', '_id'), has('Period', '_id')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([has('CarePlan', '_subject'), has('Narrative', '_div'), has('Narrative', '_status')]).toEqual([
    ...[false, false, true],
  ]);
});

test('what is mandatory may stand in a sibling alone, but for the url of an extension', () => {
  const namesOf = (type: string) =>
    Object.fromEntries(kinds.kindOf(type).mandatory.map((one) => [one.name, one.names]));
  expect(namesOf('CarePlan')).toEqual({
    ...{ resourceType: ['resourceType'], status: ['status', '_status'], intent: ['intent', '_intent'] },
    subject: ['subject'],
  });
  expect(namesOf('Extension')).toEqual({ url: ['url'] });
  expect(namesOf('UsageContext')['value[x]']).toContain('valueQuantity');
  expect(namesOf('Annotation')).not.toHaveProperty('author[x]');
});

test('a list of primitives is padded where its sibling has more, and another is not', () => {
  const of = (name: string) => {
    const { repeats, padded } = kinds.kindOf('CarePlan').slots.get(name) ?? kinds.plainSlot;
    return [repeats, padded];
  };
  expect(of('instantiatesUri')).toEqual([true, true]);
  expect(of('_instantiatesUri')).toEqual([true, true]);
  expect(of('note')).toEqual([true, false]);
  expect(of('title')).toEqual([false, false]);
});

test('a code is bound where R4 says so, and its sibling is not', () => {
  const { slots } = kinds.kindOf('CarePlan');
  expect(slots.get('status')?.codes).toContain('on-hold');
  expect(slots.get('_status')?.codes).toBeUndefined();
  expect(slots.get('title')?.codes).toBeUndefined();
});

test('a type is made once; a contained resource is another kind than the record', () => {
  expect(kinds.kindOf('Goal')).toBe(kinds.kindOf('Goal'));
  expect(kinds.containedKind('CarePlan')).toBe(kinds.containedKind('CarePlan'));
  expect(kinds.containedKind('CarePlan')).not.toBe(kinds.kindOf('CarePlan'));
  const rulesOf = (kind: Kind) => kind.judges.map(({ rule }) => rule.id);
  expect(rulesOf(kinds.kindOf('CarePlan'))).toContain('plan-overdue');
  expect(rulesOf(kinds.containedKind('CarePlan'))).not.toContain('plan-overdue');
});

test('a primitive has a form, and a type of elements none', () => {
  expect(kinds.kindOf('date').form?.pattern?.test('2026-01-01')).toBe(true);
  expect(kinds.kindOf('string').form).toBeDefined();
  expect(kinds.kindOf('Period').form).toBeUndefined();
});

test('of what is not known nothing is asked', () => {
  const blank = { name: '', mandatory: [], judges: [], form: undefined };
  expect(kinds.unknownKind).toMatchObject(blank);
  expect([kinds.unknownKind.slots.size, kinds.unknownKind.choices.size]).toEqual([0, 0]);
  expect(kinds.plainSlot).toEqual({
    ...{ name: '', kind: kinds.unknownKind, choice: '', repeats: false, padded: false },
    ...{ codes: undefined, targets: undefined },
  });
  expect(kinds.resourceTypeKind).toMatchObject({ name: 'resourceType', form: { type: 'string' } });
});

test('a record is asked what all are, and what is contained only what FHIR asks of its type', () => {
  const asked = (kind: Kind) => kind.judges.map(({ rule }) => rule.id);
  expect(asked(kinds.kindOf('CarePlan'))).toEqual(
    expect.arrayContaining(['language-tag', 'dom-3', 'plan-overdue']),
  );
  expect(asked(kinds.containedKind('CarePlan'))).toEqual(['language-tag', 'contained-type']);
  expect(asked(kinds.containedKind('Legacy'))).toEqual(['language-tag', 'contained-type']);
});

test('a quantity without a comparator is a kind of its own', () => {
  const { slots } = kinds.kindOf('Range');
  const low = slots.get('low')?.kind;
  expect(low?.judges.map(({ rule }) => rule.id)).toContain('sqty-1');
  expect(kinds.kindOf('Quantity').judges.map(({ rule }) => rule.id)).not.toContain('sqty-1');
  expect(slots.get('high')?.kind).toBe(low);
});
