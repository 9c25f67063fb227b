import { describe, expect, test } from 'vitest';
import { merge, type Merge } from '../json/merge.ts';
import { serializeNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import type { Json, Members } from '../json/testing/edits.ts';
import { resourceGrain } from './merge-grain.ts';

const node = (value: Members) => scan(JSON.stringify(value)).root;
const mergeOf = (base: Members, ours: Members, theirs: Members) =>
  merge(node(base), node(ours), node(theirs), resourceGrain);
const rowsOf = ({ rows }: Merge) =>
  rows.map(({ pointer, side, base, ours, theirs }) => [
    `${side} ${pointer}`,
    ...[base, ours, theirs].map((nodes) => nodes.map((item) => JSON.parse(serializeNode(item)) as Json)),
  ]);
const plan = (members: Members): Members => ({ resourceType: 'CarePlan', status: 'active', ...members });
const detail = (members: Members) => plan({ activity: [{ detail: { status: 'scheduled', ...members } }] });
const extension = (members: Members) => plan({ extension: [{ url: 'http://x.example/e', ...members }] });
const contained = (members: Members) =>
  plan({ contained: [{ resourceType: 'Observation', id: 'o', status: 'final', ...members }] });

const mg = { value: 1, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' };
const daily = { repeat: { frequency: 1, period: 1, periodUnit: 'd' } };

describe('a value with changes of both sides', () => {
  test.each<[string, (value: Json) => Members, string, Json, Json, Json]>([
    [
      'a quantity',
      (dailyAmount) => detail({ dailyAmount }),
      '/activity/0/detail/dailyAmount',
      mg,
      { ...mg, value: 2 },
      { ...mg, unit: 'g', code: 'g' },
    ],
    [
      'a timing',
      (scheduledTiming) => detail({ scheduledTiming }),
      '/activity/0/detail/scheduledTiming',
      daily,
      { repeat: { ...daily.repeat, frequency: 2 } },
      { repeat: { ...daily.repeat, periodUnit: 'h' } },
    ],
    [
      'a period',
      (period) => plan({ period }),
      '/period',
      { start: '2026-01-01', end: '2026-02-01' },
      { start: '2026-03-01', end: '2026-02-01' },
      { start: '2026-01-01', end: '2026-01-15' },
    ],
    [
      'an identifier',
      (identifier) => plan({ identifier: [identifier] }),
      '/identifier/0',
      { system: 'urn:a', value: '1' },
      { system: 'urn:b', value: '1' },
      { system: 'urn:a', value: '2' },
    ],
    [
      'an attachment',
      (payload) =>
        plan({ contained: [{ resourceType: 'DocumentReference', content: [{ attachment: payload }] }] }),
      '/contained/0/content/0/attachment',
      { contentType: 'text/plain', data: 'YQ==' },
      { contentType: 'image/png', data: 'YQ==' },
      { contentType: 'text/plain', data: 'Yg==' },
    ],
    [
      'a note',
      (note) => plan({ note: [note] }),
      '/note/0',
      { text: 'Base', authorString: 'Fixture A', time: '2026-01-01' },
      { text: 'Mine', authorString: 'Fixture A', time: '2026-01-01' },
      { text: 'Base', authorString: 'Fixture B', time: '2026-01-01' },
    ],
    [
      'a reference',
      (subject) => plan({ subject }),
      '/subject',
      { reference: 'Patient/p1', display: 'Ann Fixture' },
      { reference: 'Patient/p2', display: 'Ann Fixture' },
      { reference: 'Patient/p1', display: 'Ann Fixture (born 1950)' },
    ],
    [
      'a concept',
      (code) => detail({ code }),
      '/activity/0/detail/code',
      { coding: [{ system: 'http://snomed.info/sct', code: '111', display: 'one' }] },
      { coding: [{ system: 'http://snomed.info/sct', code: '222', display: 'one' }] },
      { coding: [{ system: 'http://snomed.info/sct', code: '111', display: 'One, revised' }] },
    ],
    [
      'a narrative',
      (text) => plan({ text }),
      '/text',
      { status: 'generated', div: '<div>Base</div>' },
      { status: 'additional', div: '<div>Base</div>' },
      { status: 'generated', div: '<div>Theirs</div>' },
    ],
    [
      'a value of a contained resource',
      (valueQuantity) => contained({ valueQuantity }),
      '/contained/0/valueQuantity',
      mg,
      { ...mg, value: 2 },
      { ...mg, unit: 'g', code: 'g' },
    ],
  ])('overlaps as a whole: %s', (_name, record, pointer, base, ours, theirs) => {
    const mergeResult = mergeOf(record(base), record(ours), record(theirs));
    expect(mergeResult.disjoint).toBe(false);
    expect(rowsOf(mergeResult)).toEqual([[`overlap ${pointer}`, [base], [ours], [theirs]]]);
    const resolved = (choice: 'ours' | 'theirs') =>
      JSON.parse(serializeNode(mergeResult.resolve(new Map([[0, choice]])))) as Json;
    expect(resolved('ours')).toEqual(record(ours));
    expect(resolved('theirs')).toEqual(record(theirs));
  });
});

describe('members that make one value', () => {
  test('overlap if both sides made another choice', () => {
    const mergeResult = mergeOf(
      extension({ valueString: 'a' }),
      extension({ valueBoolean: true }),
      extension({ valueInteger: 3 }),
    );
    expect(rowsOf(mergeResult)).toEqual([
      [
        'overlap /extension/0/valueString',
        [{ valueString: 'a' }],
        [{ valueBoolean: true }],
        [{ valueInteger: 3 }],
      ],
    ]);
    expect(serializeNode(mergeResult.resolve(new Map([[0, 'theirs']])))).toContain('"valueInteger":3}');
  });

  test('come from the one side that changed them', () => {
    const mergeResult = mergeOf(
      extension({ valueString: 'a' }),
      extension({ valueBoolean: true }),
      extension({ valueString: 'a', id: '1' }),
    );
    expect(mergeResult.disjoint).toBe(true);
    expect(JSON.parse(serializeNode(mergeResult.resolve()))).toEqual(
      extension({ valueBoolean: true, id: '1' }),
    );
  });

  test('overlap if a choice of R4 meets a choice that R4 does not know', () => {
    const mergeResult = mergeOf(
      extension({ valueString: 'a' }),
      extension({ valueInteger64: '1' }),
      extension({ valueString: 'b' }),
    );
    expect(rowsOf(mergeResult).map(([place]) => place)).toEqual(['overlap /extension/0/valueString']);
  });

  test('overlap if one side changed a primitive, the other its extension', () => {
    const mergeResult = mergeOf(
      plan({ title: 'a', _title: { id: '1' } }),
      plan({ title: 'b', _title: { id: '1' } }),
      plan({ title: 'a', _title: { id: '2' } }),
    );
    expect(rowsOf(mergeResult)).toEqual([
      [
        'overlap /title',
        [{ title: 'a', _title: { id: '1' } }],
        [{ title: 'b', _title: { id: '1' } }],
        [{ title: 'a', _title: { id: '2' } }],
      ],
    ]);
  });

  test('overlap if one side changed the definition of an extension, the other its value', () => {
    const mergeResult = mergeOf(
      plan({ extension: [{ url: 'http://x.example/a', valueString: 'a' }] }),
      plan({ extension: [{ url: 'http://x.example/b', valueString: 'a' }] }),
      plan({ extension: [{ url: 'http://x.example/a', valueString: 'b' }] }),
    );
    expect(rowsOf(mergeResult).map(([place]) => place)).toEqual(['overlap /extension/0']);
  });
});

test('merges an element that R4 does not know member by member', () => {
  const mergeResult = mergeOf(
    plan({ unknown: { value: 1, unit: 'mg' } }),
    plan({ unknown: { value: 2, unit: 'mg' } }),
    plan({ unknown: { value: 1, unit: 'g' } }),
  );
  expect(mergeResult.disjoint).toBe(true);
  expect(JSON.parse(serializeNode(mergeResult.resolve()))).toEqual(
    plan({ unknown: { value: 2, unit: 'g' } }),
  );
});

test('merges changes of different values of one element', () => {
  const mergeResult = mergeOf(
    detail({ dailyAmount: mg, description: 'a' }),
    detail({ dailyAmount: { ...mg, value: 2 }, description: 'a' }),
    detail({ dailyAmount: mg, description: 'b' }),
  );
  expect(mergeResult.disjoint).toBe(true);
  expect(JSON.parse(serializeNode(mergeResult.resolve()))).toEqual(
    detail({ dailyAmount: { ...mg, value: 2 }, description: 'b' }),
  );
});
