/**
 * Tests the save gate with generated records. Errors that the record already had are accepted, wherever list
 * operations move them. Each new error is rejected.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectIn } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { validate, rejectedFindings, VersionPair } from './validate.ts';

const today = '2026-08-01';
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 300 : 20_000 };

type Item = Readonly<Record<string, unknown>>;

/** Returns rule and expression of the errors for which an update is rejected. */
function listRejectedErrors(type: ResourceType, before: object, after: object): string[] {
  const [beforeRoot, afterRoot] = [objectIn(JSON.stringify(before)), objectIn(JSON.stringify(after))];
  if (!beforeRoot || !afterRoot) throw new TypeError('A record is not an object.');
  const findings = validate(afterRoot, type, { today });
  const versions = new VersionPair(beforeRoot, afterRoot);
  return rejectedFindings({ type, versions, findings, level: 'strict', today }).map(
    ({ rule, expression }) => `${rule} ${expression}`,
  );
}

const words = fc.constantFrom('Walk', 'Diet', 'Rest', 'Breathing exercise', 'Weigh daily', 'Call the nurse');
const statuses = fc.constantFrom('scheduled', 'completed', 'wrong', 'begun', 'done');

/** An activity with none, one or several errors of one rule or of different rules. */
const activities = fc
  .record({
    status: statuses,
    description: words,
    day: fc.integer({ min: 1, max: 28 }),
    kind: fc.constantFrom(undefined, 'Task', 'Chore'),
    hasReference: fc.boolean(),
    hasUnknownMember: fc.boolean(),
  })
  .map(({ status, description, day, kind, hasReference, hasUnknownMember }): Item => ({
    ...(hasReference && { reference: { reference: `Task/${day}` } }),
    ...(hasUnknownMember && { priority: 'high' }),
    detail: { status, description, scheduledString: `Day ${day}`, ...(kind && { kind }) },
  }));

const div = (text: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`;
const leafSections = fc
  .record({ title: words, text: fc.constantFrom(undefined, 'Fine', ''), reason: fc.boolean() })
  .map(({ title, text, reason }): Item => ({
    title,
    ...(text !== undefined && { text: { status: 'additional', div: div(text) } }),
    ...(reason && { emptyReason: { text: 'none' } }),
  }));
const sections = fc
  .tuple(leafSections, fc.array(leafSections, { maxLength: 3 }))
  .map(([section, children]): Item => ({ ...section, ...(children.length > 0 && { section: children }) }));

const goals = fc
  .record({ lifecycleStatus: fc.constantFrom('active', 'on', 'off'), text: words })
  .map(({ lifecycleStatus, text }): Item => ({ lifecycleStatus, description: { text } }));

interface ListCase {
  readonly type: ResourceType;
  readonly items: fc.Arbitrary<Item>;
  /** A new item without an error. */
  readonly createValid: (number: number) => Item;
  /** A new item with one error, which no other item has. */
  readonly createInvalid: (number: number) => Item;
  /** The item with one of its errors corrected; the others stay. */
  readonly correctItem: (item: Item) => Item;
  readonly createRecord: (items: readonly Item[]) => object;
}

const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/1' },
};
const letter = {
  resourceType: 'Composition',
  status: 'preliminary',
  date: '2026-01-01',
  title: 'Letter',
  type: { text: 'Letter' },
  author: [{ display: 'Dr A' }],
};
const listCases: Readonly<Record<string, ListCase>> = {
  activities: {
    type: 'CarePlan',
    items: activities,
    createValid: (number) => ({ detail: { status: 'scheduled', description: `New ${number}` } }),
    createInvalid: (number) => ({ detail: { status: `added-${number}`, description: `New ${number}` } }),
    correctItem: (item) => ({ ...item, detail: { ...(item.detail as object), status: 'completed' } }),
    createRecord: (items) => ({ ...plan, ...listMember('activity', items) }),
  },
  sections: {
    type: 'Composition',
    items: sections,
    createValid: (number) => ({ title: `New ${number}`, text: { status: 'additional', div: div('x') } }),
    createInvalid: (number) => ({
      title: `New ${number}`,
      mode: `added-${number}`,
      text: { status: 'additional', div: div('x') },
    }),
    correctItem: (item) => ({ ...item, text: { status: 'additional', div: div('Now said.') } }),
    createRecord: (items) => ({ ...letter, ...listMember('section', items) }),
  },
  'contained resources': {
    type: 'CarePlan',
    items: goals,
    createValid: (number) => ({ lifecycleStatus: 'active', description: { text: `New ${number}` } }),
    createInvalid: (number) => ({
      lifecycleStatus: `added-${number}`,
      description: { text: `New ${number}` },
    }),
    correctItem: (item) => ({ ...item, lifecycleStatus: 'active' }),
    createRecord: (items) => {
      const resource = { resourceType: 'Goal', subject: { reference: 'Patient/1' } };
      return {
        ...plan,
        ...listMember(
          'contained',
          items.map((item) => ({ ...resource, id: idOf(item), ...item })),
        ),
        ...listMember(
          'goal',
          items.map((item) => ({ reference: `#${idOf(item)}` })),
        ),
      };
    },
  },
};

/** Corrects an item and keeps its id. */
function correctAndKeepId(item: Item, listCase: ListCase): Item {
  const after = listCase.correctItem(item);
  ids.set(after, idOf(item));
  return after;
}

/** Returns an object with the list as its only member, or no member for an empty list (FHIR omits empty lists). */
function listMember(name: string, items: readonly Item[]): object {
  return items.length > 0 ? { [name]: items } : {};
}

const ids = new WeakMap<Item, string>();
let lastIdNumber = 0;
/** Returns the id of an item. It stays the same when the item moves. */
function idOf(item: Item): string {
  const id = ids.get(item) ?? `g${(lastIdNumber += 1)}`;
  ids.set(item, id);
  return id;
}

type Operation = readonly ['remove' | 'insertValid' | 'insertInvalid' | 'move', from: number, to: number];
const operations = (...names: Operation[0][]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(20), fc.nat(20)), { minLength: 1, maxLength: 4 });

function applyOperations(
  items: readonly Item[],
  operationList: readonly Operation[],
  { createValid, createInvalid }: ListCase,
): Item[] {
  const result = [...items];
  for (const [number, [name, from, to]] of operationList.entries()) {
    const index = result.length === 0 ? 0 : from % result.length;
    if (name === 'insertValid') result.splice(index, 0, createValid(number));
    else if (name === 'insertInvalid') result.splice(index, 0, createInvalid(number));
    else {
      const [item] = result.splice(index, 1);
      if (name === 'move' && item) result.splice(to % (result.length + 1), 0, item);
    }
  }
  return result;
}

test.each(Object.entries(listCases))('accepts removing, inserting and moving %s', (_name, listCase) => {
  fc.assert(
    fc.property(
      fc.array(listCase.items, { minLength: 2, maxLength: 12 }),
      operations('remove', 'insertValid', 'move'),
      (items, operationList) => {
        const after = applyOperations(items, operationList, listCase);
        expect(
          listRejectedErrors(listCase.type, listCase.createRecord(items), listCase.createRecord(after)),
        ).toEqual([]);
      },
    ),
    runs,
  );
});

test.each(Object.entries(listCases))('rejects each error that is added among %s', (_name, listCase) => {
  fc.assert(
    fc.property(
      fc.array(listCase.items, { minLength: 1, maxLength: 12 }),
      operations('insertValid', 'move', 'insertInvalid', 'remove'),
      (items, operationList) => {
        const after = applyOperations(items, operationList, listCase);
        const addedErrors = JSON.stringify(after).match(/added-\d+/g) ?? [];
        const rejections = listRejectedErrors(
          listCase.type,
          listCase.createRecord(items),
          listCase.createRecord(after),
        );
        expect(rejections).toHaveLength(addedErrors.length);
      },
    ),
    runs,
  );
});

test.each(Object.entries(listCases))(
  'accepts a corrected item of %s, also if it is moved',
  (_name, listCase) => {
    fc.assert(
      fc.property(
        ...([
          fc.array(listCase.items, { minLength: 1, maxLength: 12 }),
          fc.nat(20),
          fc.option(fc.nat(20)),
        ] as const),
        (items, position, to) => {
          const target = position % items.length;
          const after = items.map((item, index) =>
            index === target ? correctAndKeepId(item, listCase) : item,
          );
          const [item] = to === null ? [] : after.splice(target, 1);
          if (item) after.splice((to ?? 0) % (after.length + 1), 0, item);
          expect(
            listRejectedErrors(listCase.type, listCase.createRecord(items), listCase.createRecord(after)),
          ).toEqual([]);
        },
      ),
      runs,
    );
  },
);
