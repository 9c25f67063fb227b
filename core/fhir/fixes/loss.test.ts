import { describe, expect, test } from 'vitest';
import { serializeNode, type JsonObject } from '../../json/node.ts';
import { parsePointer } from '../../json/pointer.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { suggestionsAt, applyFixes } from './fixes.ts';
import { labelOf, lossOf } from './loss.ts';

const settings = { today: '2026-11-24' };

function read(value: unknown): JsonObject {
  const { root } = scan(typeof value === 'string' ? value : JSON.stringify(value));
  if (root.kind !== 'object') throw new TypeError('This is no record.');
  return root;
}

const loss = (before: unknown, after: unknown, pointer = '') =>
  lossOf(read(before), read(after), parsePointer(pointer) ?? []);

describe('lossOf', () => {
  test.each<[what: string, before: unknown, after: unknown]>([
    ['a value is corrected in its place', { a: ' x ' }, { a: 'x' }],
    ['a value gets another type', '{"a":10.420}', '{"a":"10.420"}'],
    ['a member gets another name', { titel: 'A' }, { title: 'A' }],
    ['two values change places', { a: 1, b: 2 }, { a: 2, b: 1 }],
    ['values move to another list', { a: [{ b: ['x', 'y'] }] }, { b: ['x'], c: ['y'] }],
    ['a value is added', { a: 'x' }, { a: 'x', b: 'y' }],
    ['empty elements go', { a: 'x', b: '', c: {}, d: [], e: [null] }, { a: 'x' }],
    ['only the tags of a narrative change', { div: '<div>a</div>' }, { div: '<div xmlns="x">a</div>' }],
  ])('is safe if %s', (_description, before, after) => {
    expect(loss(before, after)).toEqual({ safe: true, removes: [] });
  });

  test.each<[what: string, before: unknown, after: unknown, removes: readonly string[]]>([
    ['a value goes', { a: 'x', b: 'y' }, { a: 'x' }, ['b']],
    ['one of two equal values goes', { a: 'x', b: 'x' }, { a: 'x' }, ['b']],
    ['a digit goes', '{"a":{"b":1.50}}', '{"c":1.5}', ['a']],
    ['two values are replaced', { a: 'x', b: 'y' }, { a: 'v', b: 'w' }, []],
    ['a value and its sibling go', { a: 'x', b: 1, _b: { id: 'i' } }, { a: 'x' }, ['b']],
    ['a narrative is written', { a: 'x' }, { a: 'x', text: { div: '<div>x</div>' } }, []],
    ['a narrative changes', { div: '<div>a</div>' }, { div: '<div>b</div>' }, []],
  ])('is not safe if %s', (_description, before, after, removes) => {
    expect(loss(before, after)).toEqual({ safe: false, removes });
  });
});

test.each<[what: string, before: unknown, after: unknown, at: string, removes: readonly string[]]>([
  ['elements of an item', { a: [{ b: 'x', c: 1 }, { b: 2 }] }, { a: [{ b: 2 }] }, '/a/0', ['b', 'c']],
  ['an element of an item', { a: [{ b: 1, r: { c: [{ d: 'y' }] } }] }, { a: [{ b: 1 }] }, '/a/0', ['r']],
  ['the element itself', { a: 1, b: { c: 2 } }, { a: 1 }, '/b/c', ['c']],
  ['an element around', { text: { div: 'x', status: 'y' } }, {}, '/text/div', ['text']],
  [
    'a resource with its size',
    { contained: [{ resourceType: 'Goal', id: 'g', note: [{ text: 'x' }] }] },
    {},
    '/contained/0',
    ['Goal with its 3 values'],
  ],
  [
    'an element of a resource',
    { contained: [{ resourceType: 'Goal', meta: { versionId: '1' } }] },
    { contained: [{ resourceType: 'Goal' }] },
    '/contained/0',
    ['meta'],
  ],
])('names %s', (_description, before, after, pointer, removes) => {
  expect(loss(before, after, pointer)).toEqual({ safe: false, removes });
});

test.each<[words: string, named: readonly string[], removes: readonly string[], label: string]>([
  ['Remove section', [], ['title', 'code'], 'Remove section (removes title and code)'],
  ['Remove careManager', ['careManager'], ['careManager'], 'Remove careManager'],
  ['Keep only code', [], ['code'], 'Keep only code (removes code)'],
  ['Remove code', ['code'], ['code', 'title'], 'Remove code (removes code and title)'],
  ['Set to active', [], [], 'Set to active'],
  ['Remove it', [], ['a', 'b', 'c', 'd', 'e'], 'Remove it (removes a, b, c, d, and e)'],
  ['Remove it', [], ['a', 'b', 'c', 'd', 'e', 'f'], 'Remove it (removes a, b, c, d, e and 1 more element)'],
])('labels "%s", which names %j and removes %j', (words, namedElements, removes, label) => {
  expect(labelOf(words, removes, namedElements)).toBe(label);
});

const html = (markup: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`;
const letter = (...section: readonly object[]) => read({ resourceType: 'Composition', section });
const suggest = (record: JsonObject, rule: string, pointer: string, type: ResourceType = 'Composition') =>
  suggestionsAt(record, type, { rule, pointer }, settings);
const reason = { coding: [{ code: 'not-found', display: 'Not found' }], text: 'no records <found> & kept' };

describe('an empty section', () => {
  test('offers its stated reason as text first, then removal', () => {
    const record = letter({ title: 'Alerts', code: { text: 'c' }, emptyReason: reason });
    const [write, remove, ...furtherSuggestions] = suggest(record, 'cmp-1', '/section/0');
    expect(furtherSuggestions).toEqual([]);
    expect(write).toMatchObject({ id: 'cmp-1=reason', safe: false, removes: [] });
    const [section] = (JSON.parse(serializeNode(write?.fixedRoot ?? record)) as { section: object[] })
      .section;
    expect(section).toEqual({
      title: 'Alerts',
      code: { text: 'c' },
      emptyReason: reason,
      text: { status: 'generated', div: html('no records &lt;found&gt; &amp; kept') },
    });
    expect(remove).toMatchObject({
      id: 'cmp-1=remove',
      safe: false,
      label: 'Remove empty section (removes title, code, and emptyReason)',
    });
  });

  test.each([
    [{ coding: [{ code: 'a' }, { display: 'Asked later' }] }, 'Asked later'],
    [
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/list-empty-reason', code: 'nilknown' }] },
      'Nil Known',
    ],
  ])('shows a reason without text by its display: %j', (emptyReason, display) => {
    const [write] = suggest(letter({ title: 'A', emptyReason }), 'cmp-1', '/section/0');
    expect(write && serializeNode(write.fixedRoot)).toContain(`>${display}<`);
  });

  test('offers each of R4’s reasons if it states none, then removal', () => {
    const record = letter({ title: 'Alerts' });
    const suggestions = suggest(record, 'cmp-1', '/section/0');
    expect(suggestions.map(({ id }) => id)).toEqual(
      ['nilknown', 'notasked', 'withheld', 'unavailable', 'notstarted', 'closed', 'remove'].map(
        (reasonCode) => `cmp-1=${reasonCode}`,
      ),
    );
    expect(suggestions.at(0)?.label).toBe('State why it is empty: Nil Known');
    expect(serializeNode(suggestions.at(0)?.fixedRoot ?? record)).toContain('"title":"Alerts","emptyReason"');
    expect(suggestions.at(-1)?.label).toBe('Remove empty section (removes title)');
  });

  test('offers only removal if its reason has no text', () => {
    const suggestions = suggest(letter({ emptyReason: { coding: [{ code: 'x' }] } }), 'cmp-1', '/section/0');
    expect(suggestions.map(({ label }) => label)).toEqual(['Remove empty section (removes emptyReason)']);
  });
});

const plan = (members: object) =>
  read({ resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' }, ...members });
const questionnaire = { resourceType: 'Questionnaire', id: 'q', status: 'draft', title: 'Long' };

describe('bulk', () => {
  const record = plan({
    language: 'en_GB',
    contained: [questionnaire],
    careManager: 'Ward 3',
    activity: [{ detail: { status: 'unknown' }, reference: { display: 'r' } }],
  });

  test('removes no value by the safe fixes', () => {
    const withSafeFixes = serializeNode(applyFixes(record, 'CarePlan', 'every', settings)?.root ?? record);
    expect(withSafeFixes).toBe(serializeNode(record).replace('en_GB', 'en-GB'));
  });

  test.each(['schema-unknown', 'cpl-3'])('applies no lossy option of %s without a choice', (rule) => {
    expect(applyFixes(record, 'CarePlan', rule, settings)).toBeUndefined();
  });

  test.each([
    ['schema-unknown=remove', 'careManager'],
    ['cpl-3=detail', 'reference'],
    ['dom-3', 'Questionnaire'],
  ])('applies the chosen lossy option %s', (id, removedText) => {
    const result = applyFixes(record, 'CarePlan', id, settings);
    expect(result && serializeNode(result.root)).not.toContain(removedText);
  });

  test('writes the reasons of sections and leaves those without one', () => {
    const record = letter({ title: 'A', emptyReason: reason }, { title: 'B' });
    const result = applyFixes(record, 'Composition', 'cmp-1=reason', settings);
    expect(result?.fixedCount).toBe(1);
    expect(result && serializeNode(result.root)).toContain('{"title":"B"}');
    expect(applyFixes(record, 'Composition', 'cmp-1', settings)).toBeUndefined();
    const withSafeFixes = applyFixes(record, 'Composition', 'every', settings);
    expect(withSafeFixes && serializeNode(withSafeFixes.root)).toContain('{"title":"B"}');
    expect(withSafeFixes && serializeNode(withSafeFixes.root)).not.toContain('<div');
  });
});

test('names a contained resource and its size if it would be removed', () => {
  const [remove] = suggest(plan({ contained: [questionnaire] }), 'dom-3', '/contained/0', 'CarePlan');
  expect(remove?.label).toBe('Remove contained resource (removes Questionnaire with its 4 values)');
  expect(remove?.safe).toBe(false);
});
