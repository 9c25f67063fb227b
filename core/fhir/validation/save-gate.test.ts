/**
 * Tests the save gate with generated records. Operations on lists keep old errors, and each added error is
 * rejected.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectIn } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { rejectedFindings } from './save-gate.ts';
import { validate } from './validate.ts';
import { VersionPair } from './version-pair.ts';

const today = '2026-08-01';
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 300 : 20_000 };

type Item = Readonly<Record<string, unknown>>;

/** Returns rule and expression of the errors for which an update is rejected. */
function rejected(type: ResourceType, before: object, after: object): string[] {
  const [root, next] = [objectIn(JSON.stringify(before)), objectIn(JSON.stringify(after))];
  if (!root || !next) throw new TypeError('A record is no object.');
  const findings = validate(next, type, { today });
  const versions = new VersionPair(root, next);
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
    twice: fc.boolean(),
    unknown: fc.boolean(),
  })
  .map(({ status, description, day, kind, twice, unknown }): Item => ({
    ...(twice && { reference: { reference: `Task/${day}` } }),
    ...(unknown && { priority: 'high' }),
    detail: { status, description, scheduledString: `Day ${day}`, ...(kind && { kind }) },
  }));

const div = (text: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`;
const leaves = fc
  .record({ title: words, text: fc.constantFrom(undefined, 'Fine', ''), reason: fc.boolean() })
  .map(({ title, text, reason }): Item => ({
    title,
    ...(text !== undefined && { text: { status: 'additional', div: div(text) } }),
    ...(reason && { emptyReason: { text: 'none' } }),
  }));
const sections = fc
  .tuple(leaves, fc.array(leaves, { maxLength: 3 }))
  .map(([section, children]): Item => ({ ...section, ...(children.length > 0 && { section: children }) }));

const goals = fc
  .record({ lifecycleStatus: fc.constantFrom('active', 'on', 'off'), text: words })
  .map(({ lifecycleStatus, text }): Item => ({ lifecycleStatus, description: { text } }));

interface Kind {
  readonly type: ResourceType;
  readonly items: fc.Arbitrary<Item>;
  /** A new item without an error. */
  readonly sound: (number: number) => Item;
  /** A new item with one error, which no other item has. */
  readonly faulty: (number: number) => Item;
  /** The item with one of its errors corrected; the others stay. */
  readonly corrected: (item: Item) => Item;
  readonly record: (items: readonly Item[]) => object;
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
const kinds: Readonly<Record<string, Kind>> = {
  activities: {
    type: 'CarePlan',
    items: activities,
    sound: (number) => ({ detail: { status: 'scheduled', description: `New ${number}` } }),
    faulty: (number) => ({ detail: { status: `added-${number}`, description: `New ${number}` } }),
    corrected: (item) => ({ ...item, detail: { ...(item.detail as object), status: 'completed' } }),
    record: (items) => ({ ...plan, ...toList('activity', items) }),
  },
  sections: {
    type: 'Composition',
    items: sections,
    sound: (number) => ({ title: `New ${number}`, text: { status: 'additional', div: div('x') } }),
    faulty: (number) => ({
      title: `New ${number}`,
      mode: `added-${number}`,
      text: { status: 'additional', div: div('x') },
    }),
    corrected: (item) => ({ ...item, text: { status: 'additional', div: div('Now said.') } }),
    record: (items) => ({ ...letter, ...toList('section', items) }),
  },
  'contained resources': {
    type: 'CarePlan',
    items: goals,
    sound: (number) => ({ lifecycleStatus: 'active', description: { text: `New ${number}` } }),
    faulty: (number) => ({ lifecycleStatus: `added-${number}`, description: { text: `New ${number}` } }),
    corrected: (item) => ({ ...item, lifecycleStatus: 'active' }),
    record: (items) => {
      const resource = { resourceType: 'Goal', subject: { reference: 'Patient/1' } };
      return {
        ...plan,
        ...toList(
          'contained',
          items.map((item) => ({ ...resource, id: idOf(item), ...item })),
        ),
        ...toList(
          'goal',
          items.map((item) => ({ reference: `#${idOf(item)}` })),
        ),
      };
    },
  },
};

/** Corrects an item and keeps its id. */
function corrected(item: Item, kind: Kind): Item {
  const after = kind.corrected(item);
  ids.set(after, idOf(item));
  return after;
}

/** Returns the list, or nothing for an empty list (FHIR omits empty lists). */
function toList(name: string, items: readonly Item[]): object {
  return items.length > 0 ? { [name]: items } : {};
}

const ids = new WeakMap<Item, string>();
let usedIds = 0;
/** Returns the id of an item. It stays the same when the item moves. */
function idOf(item: Item): string {
  const id = ids.get(item) ?? `g${(usedIds += 1)}`;
  ids.set(item, id);
  return id;
}

type Operation = readonly ['remove' | 'insert' | 'move' | 'add', from: number, to: number];
const operations = (...names: Operation[0][]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(20), fc.nat(20)), { minLength: 1, maxLength: 4 });

function applied(items: readonly Item[], steps: readonly Operation[], { sound, faulty }: Kind): Item[] {
  const now = [...items];
  for (const [number, [name, from, to]] of steps.entries()) {
    const index = now.length === 0 ? 0 : from % now.length;
    if (name === 'insert') now.splice(index, 0, sound(number));
    else if (name === 'add') now.splice(index, 0, faulty(number));
    else {
      const [item] = now.splice(index, 1);
      if (name === 'move' && item) now.splice(to % (now.length + 1), 0, item);
    }
  }
  return now;
}

test.each(Object.entries(kinds))('accepts %s that are removed, inserted and moved', (_name, kind) => {
  fc.assert(
    fc.property(
      fc.array(kind.items, { minLength: 2, maxLength: 12 }),
      operations('remove', 'insert', 'move'),
      (items, steps) => {
        const after = applied(items, steps, kind);
        expect(rejected(kind.type, kind.record(items), kind.record(after))).toEqual([]);
      },
    ),
    runs,
  );
});

test.each(Object.entries(kinds))('rejects each error that is added among %s', (_name, kind) => {
  fc.assert(
    fc.property(
      fc.array(kind.items, { minLength: 1, maxLength: 12 }),
      operations('insert', 'move', 'add', 'remove'),
      (items, steps) => {
        const after = applied(items, steps, kind);
        const addedErrors = JSON.stringify(after).match(/added-\d+/g) ?? [];
        const rejections = rejected(kind.type, kind.record(items), kind.record(after));
        expect(rejections).toHaveLength(addedErrors.length);
      },
    ),
    runs,
  );
});

test.each(Object.entries(kinds))('accepts a correction of any of %s, wherever it is moved', (_name, kind) => {
  fc.assert(
    fc.property(
      ...([
        fc.array(kind.items, { minLength: 1, maxLength: 12 }),
        fc.nat(20),
        fc.option(fc.nat(20)),
      ] as const),
      (items, position, to) => {
        const target = position % items.length;
        const after = items.map((item, index) => (index === target ? corrected(item, kind) : item));
        const [item] = to === null ? [] : after.splice(target, 1);
        if (item) after.splice((to ?? 0) % (after.length + 1), 0, item);
        expect(rejected(kind.type, kind.record(items), kind.record(after))).toEqual([]);
      },
    ),
    runs,
  );
});
