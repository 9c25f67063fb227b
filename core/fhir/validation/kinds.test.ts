import { beforeEach, expect, test, vi } from 'vitest';
import type { CompiledType } from '../../types/definition/rule.ts';
import type * as Module from './kinds.ts';

type Kinds = typeof Module;

let kinds: Kinds;
let importCount = 0;
// Imports a fresh module for each test, because the module caches types.
beforeEach(async () => {
  importCount += 1;
  kinds = await vi.importActual<Kinds>(`./kinds.ts?${importCount}`);
});

const slotsOf = (kind: CompiledType) => [...kind.slots.keys()];

test('accepts only its own resourceType for a known type and any for an unknown one', () => {
  const codes = (kind: CompiledType) => kind.slots.get('resourceType')?.codes;
  expect(codes(kinds.kindOf('CarePlan'))).toEqual(new Set(['CarePlan']));
  expect(codes(kinds.containedKind('Goal'))).toEqual(new Set(['Goal']));
  expect(codes(kinds.containedKind('Legacy'))).toBeUndefined();
  expect(kinds.kindOf('Period').slots.has('resourceType')).toBe(false);
});

test('knows only the common elements of an unknown resource', () => {
  const commonNames = [
    'resourceType',
    'id',
    'meta',
    'implicitRules',
    '_implicitRules',
    'language',
    '_language',
    'text',
  ];
  expect(slotsOf(kinds.containedKind('Legacy')).toSorted()).toEqual(commonNames.toSorted());
  for (const name of ['Legacy', undefined, 7, 'Quantity'])
    expect(kinds.isAnyResource(kinds.containedKind(name))).toBe(true);
  expect(kinds.isAnyResource(kinds.containedKind('Goal'))).toBe(false);
});

test('gives each primitive a sibling, except an id and a narrative', () => {
  const has = (type: string, name: string) => kinds.kindOf(type).slots.has(name);
  expect([has('CarePlan', '_title'), has('CarePlan', '_id'), has('Period', '_id')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([has('CarePlan', '_subject'), has('Narrative', '_div'), has('Narrative', '_status')]).toEqual([
    false,
    false,
    true,
  ]);
});

test('accepts a sibling instead of a required element, except for the url of an extension', () => {
  const namesOf = (type: string) =>
    Object.fromEntries(kinds.kindOf(type).mandatory.map((element) => [element.name, element.names]));
  expect(namesOf('CarePlan')).toEqual({
    resourceType: ['resourceType'],
    status: ['status', '_status'],
    intent: ['intent', '_intent'],
    subject: ['subject'],
  });
  expect(namesOf('Extension')).toEqual({ url: ['url'] });
  expect(namesOf('UsageContext')['value[x]']).toContain('valueQuantity');
  expect(namesOf('Annotation')).not.toHaveProperty('author[x]');
});

test('allows padding in a list of primitives only', () => {
  const traitsOf = (name: string) => {
    const { repeats, padded } = kinds.kindOf('CarePlan').slots.get(name) ?? kinds.plainSlot;
    return [repeats, padded];
  };
  expect(traitsOf('instantiatesUri')).toEqual([true, true]);
  expect(traitsOf('_instantiatesUri')).toEqual([true, true]);
  expect(traitsOf('note')).toEqual([true, false]);
  expect(traitsOf('title')).toEqual([false, false]);
});

test('binds a code to its value set, but not its sibling', () => {
  const { slots } = kinds.kindOf('CarePlan');
  expect(slots.get('status')?.codes).toContain('on-hold');
  expect(slots.get('_status')?.codes).toBeUndefined();
  expect(slots.get('title')?.codes).toBeUndefined();
});

test('creates each type once, with separate types for records and contained resources', () => {
  expect(kinds.kindOf('Goal')).toBe(kinds.kindOf('Goal'));
  expect(kinds.containedKind('CarePlan')).toBe(kinds.containedKind('CarePlan'));
  expect(kinds.containedKind('CarePlan')).not.toBe(kinds.kindOf('CarePlan'));
  const rulesOf = (kind: CompiledType) => kind.rules.map(({ rule }) => rule.id);
  expect(rulesOf(kinds.kindOf('CarePlan'))).toContain('plan-overdue');
  expect(rulesOf(kinds.containedKind('CarePlan'))).not.toContain('plan-overdue');
});

test('has a format for primitives only', () => {
  expect(kinds.kindOf('date').form?.pattern?.test('2026-01-01')).toBe(true);
  expect(kinds.kindOf('string').form).toBeDefined();
  expect(kinds.kindOf('Period').form).toBeUndefined();
});

test('runs no rule on unknown elements', () => {
  const blank = { name: '', mandatory: [], rules: [], form: undefined };
  expect(kinds.unknownKind).toMatchObject(blank);
  expect([kinds.unknownKind.slots.size, kinds.unknownKind.choices.size]).toEqual([0, 0]);
  expect(kinds.plainSlot).toEqual({
    name: '',
    kind: kinds.unknownKind,
    choice: '',
    repeats: false,
    padded: false,
    codes: undefined,
    targets: undefined,
  });
  expect(kinds.resourceTypeKind).toMatchObject({ name: 'resourceType', form: { type: 'string' } });
});

test('runs record rules on records, and only FHIR rules on contained resources', () => {
  const ruleIds = (kind: CompiledType) => kind.rules.map(({ rule }) => rule.id);
  expect(ruleIds(kinds.kindOf('CarePlan'))).toEqual(
    expect.arrayContaining(['language-tag', 'dom-3', 'plan-overdue']),
  );
  expect(ruleIds(kinds.containedKind('CarePlan'))).toEqual(['language-tag', 'contained-type']);
  expect(ruleIds(kinds.containedKind('Legacy'))).toEqual(['language-tag', 'contained-type']);
});

test('uses a separate type for quantities without a comparator', () => {
  const { slots } = kinds.kindOf('Range');
  const low = slots.get('low')?.kind;
  expect(low?.rules.map(({ rule }) => rule.id)).toContain('sqty-1');
  expect(kinds.kindOf('Quantity').rules.map(({ rule }) => rule.id)).not.toContain('sqty-1');
  expect(slots.get('high')?.kind).toBe(low);
});
