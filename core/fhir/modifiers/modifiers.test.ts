import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { cardOf } from '../card/card.ts';
import { resourceCardOf } from '../card/resource-card.ts';
import { columnValues } from '../columns.ts';
import { toReadableRecord } from '../reading/reading.ts';
import { summarize, summarizeValue } from '../summary.ts';
import { planTimes } from '../timeline/plan-times.ts';
import { findable } from '../../derive/findable.ts';
import type { JsonObject } from '../../json/node.ts';
import { emptyReasonOf } from './modifiers.ts';
import { modifiedSamples } from './testing/every-modifier.ts';

const today = '2026-01-02';
const nodeOf = (value: unknown) => scan(JSON.stringify(value)).root as JsonObject;
const samples = modifiedSamples();
const contained = samples.map(({ resource }) => resource);
const references = contained.map(({ id }) => ({ reference: `#${String(id)}` }));
const names = samples.map(({ name }) => name);
const displays = (namedReferences: readonly { readonly display: string }[] | undefined) =>
  namedReferences?.map(({ display }) => display);

test.each(samples)('names the resource $name on its card', ({ resource, name }) => {
  expect(resourceCardOf(nodeOf(resource)).name).toBe(name);
});

test('names contained resources of a plan with their modifiers in every view', () => {
  const activity = references.map((reference) => ({ reference }));
  const plan = nodeOf({
    resourceType: 'CarePlan',
    contained,
    activity,
    goal: references,
    addresses: references,
    supportingInfo: references,
    author: references[0],
  });
  const reading = toReadableRecord(plan, today);
  expect(displays(reading.plan?.goals.map(({ goal }) => goal))).toEqual(names);
  expect(displays(reading.plan?.addresses)).toEqual(names);
  expect(displays(reading.relations.map(({ to }) => to))).toEqual(names);
  expect(reading.plan?.activities.map(({ title }) => title)).toEqual(names);
  expect(planTimes(plan, today).activities.map(({ title }) => title)).toEqual(names);
  const card = cardOf(plan, today);
  expect(displays(card.goals)).toEqual(names);
  expect(card.activities.map(({ title }) => title)).toEqual(names);
  const addresses = card.facts.find(({ id }) => id === 'addresses')?.value;
  expect(addresses).toMatchObject({ references: names.map((display) => ({ display })) });
  const columns = columnValues(plan, 'CarePlan', ['author', 'addresses', 'doNotPerform']);
  expect(columns.author).toBe(names[0]);
  expect(columns.doNotPerform).toContain('Do NOT: Thing');
});

test("names the entries of a document's sections with their modifiers", () => {
  const section = [{ title: 'All', entry: references, author: references, focus: references[0] }];
  const { document } = toReadableRecord(nodeOf({ resourceType: 'Composition', contained, section }), today);
  expect(displays(document?.sections[0]?.entries)).toEqual(names);
  expect(displays(document?.sections[0]?.authors)).toEqual(names);
  expect(document?.sections[0]?.focus?.display).toBe(names[0]);
});

const unknown = [{ url: 'http://x.test/not' }];

test.each<[record: object, title: string]>([
  [{ title: 'T', status: 'entered-in-error' }, 'Entered in error: T'],
  [{ title: 'T', modifierExtension: unknown }, 'Has a modifier that changes its meaning: T'],
  [{ title: 'T', status: 'revoked', intent: 'proposal' }, 'T'],
  [{ status: 'entered-in-error' }, 'Entered in error: Care plan'],
  [{ activity: [{ detail: { doNotPerform: true, code: { text: 'Run' } } }] }, 'Do NOT: Run'],
  [{ activity: [{}, { detail: { doNotPerform: true, description: 'Run' } }] }, 'Do NOT: Run'],
  [{ title: 'T', activity: [{ detail: { doNotPerform: true, code: { text: 'Run' } } }] }, 'T'],
  [
    {
      contained: [{ resourceType: 'ServiceRequest', id: 'a', doNotPerform: true }],
      activity: [{ reference: { reference: '#a', display: 'Surgery' } }],
    },
    'Do NOT: Surgery',
  ],
])('names the record %j %s in every view', (members, title) => {
  const record = { resourceType: 'CarePlan', ...members };
  expect(summarize(nodeOf(record)).title).toBe(title);
  expect(summarizeValue(record).title).toBe(title);
  expect(toReadableRecord(nodeOf(record), today).title).toBe(title);
  expect(findable('CarePlan', nodeOf(record)).title).toBe(title);
});

test('finds a record by its name without negating words', () => {
  const { texts } = findable(
    'CarePlan',
    nodeOf({ resourceType: 'CarePlan', title: 'Walk', status: 'entered-in-error' }),
  );
  expect(texts.filter(({ kind }) => kind === 'title').map(({ words }) => words)).toEqual([
    'walk',
    'entered in error walk',
  ]);
});

test.each<[activity: object, title: string, negation: string | undefined]>([
  [{ detail: { doNotPerform: true, code: { text: 'Run' }, status: 'in-progress' } }, 'Do NOT: Run', 'Do NOT'],
  [{ detail: { doNotPerform: true } }, 'Do NOT: Activity 1', 'Do NOT'],
  [{ detail: { doNotPerform: false, code: { text: 'Run' } } }, 'Run', undefined],
  [
    { detail: { doNotPerform: true, code: { text: 'Run' }, status: 'entered-in-error' } },
    'Entered in error, Do NOT: Run',
    'Entered in error, Do NOT',
  ],
  [
    { detail: { description: 'Run', scheduledTiming: { modifierExtension: unknown } } },
    'Has a modifier that changes its meaning: Run',
    'Has a modifier that changes its meaning',
  ],
])('names the activity %j %s in every view', (activity, title, negation) => {
  const plan = nodeOf({ resourceType: 'CarePlan', activity: [activity] });
  const expected = negation === undefined ? { title } : { title, negation };
  expect(cardOf(plan, today).activities[0]).toMatchObject(expected);
  expect(planTimes(plan, today).activities[0]).toMatchObject(expected);
  expect(toReadableRecord(plan, today).plan?.activities[0]).toMatchObject(expected);
  expect(columnValues(plan, 'CarePlan', ['doNotPerform']).doNotPerform).toBe(
    negation === undefined ? '' : title,
  );
});

test('marks a section, an attester and a related document with a modifier extension', () => {
  const { document, relations } = toReadableRecord(
    nodeOf({
      resourceType: 'Composition',
      section: [{ title: 'S', modifierExtension: unknown }, { modifierExtension: unknown }],
      attester: [{ mode: 'legal', party: { display: 'P' }, modifierExtension: unknown }],
      relatesTo: [{ code: 'replaces', targetReference: { display: 'R' }, modifierExtension: unknown }],
    }),
    today,
  );
  const words = (name: string) => `Has a modifier that changes its meaning: ${name}`;
  expect(document?.sections.map(({ title }) => title)).toEqual([words('S'), words('Section 2')]);
  expect(document?.attesters[0]?.party?.display).toBe(words('P'));
  expect(relations[0]?.to.display).toBe(words('R'));
});

test.each([
  [{ coding: [{ code: 'nilknown' }] }, 'Nil known'],
  [{ coding: [{ code: 'nilknown', display: 'Nothing known' }] }, 'Nothing known'],
  [{ text: 'Not asked yet', coding: [{ code: 'notasked' }] }, 'Not asked yet'],
  [{ coding: [{ code: 'own-code' }] }, 'own-code'],
  [{}, ''],
])('formats the reason %j for being empty as %s', (emptyReason, words) => {
  expect(emptyReasonOf(nodeOf({ emptyReason }))).toBe(words);
});
