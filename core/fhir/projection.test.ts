import { expect, test } from 'vitest';
import { serializeNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { project } from './projection.ts';

const plan =
  '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"1","tag":[{"code":"mine"}]},"text":{"status":"generated"},' +
  '"extension":[{"url":"u","valueDecimal":1.00}],"modifierExtension":[{"url":"m"}],"status":"active","_status":{"id":"s"},' +
  '"intent":"plan","title":"T","subject":{"reference":"Patient/p"},"activity":[{"x":12345678901234567890.10}]}';
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const keysOf = (text: string) => Object.keys(parse(text));
const root = () => scan(plan).root;
const alwaysIncluded = [
  'resourceType',
  'id',
  'meta',
  'modifierExtension',
  'status',
  '_status',
  'intent',
  'subject',
];

test.each([
  ['true', [...alwaysIncluded, 'title']],
  ['text', [...alwaysIncluded, 'text']],
  ['data', [...alwaysIncluded, 'extension', 'title', 'activity']],
] as const)('returns for _summary=%s its part, mandatory elements and modifiers', (summary, keys) => {
  expect(keysOf(project(root(), { summary })).sort()).toEqual([...keys].sort());
});

test('returns the elements of _elements, mandatory ones and modifiers with exact digits', () => {
  const text = project(root(), { elements: ['activity', 'nothing'] });
  expect(keysOf(text).sort()).toEqual([...alwaysIncluded, 'activity'].sort());
  expect(text).toContain('"activity":[{"x":12345678901234567890.10}]');
});

test('adds the tag SUBSETTED once and leaves the record unchanged', () => {
  const record = root();
  const text = project(record, { summary: 'data' });
  const tag = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };
  expect(parse(text).meta).toEqual({ versionId: '1', tag: [{ code: 'mine' }, tag] });
  expect(project(scan(text).root, { summary: 'data' })).toBe(text);
  expect(serializeNode(record)).toBe(plan);
  const bare = project(scan('{"resourceType":"CarePlan","id":"a"}').root, { summary: 'true' });
  expect(parse(bare).meta).toEqual({ tag: [tag] });
});

test('includes optional elements of the summary only for _summary=true', () => {
  const document =
    '{"resourceType":"Composition","status":"final","confidentiality":"N","section":[{"title":"S"}]}';
  const part = (projection: Parameters<typeof project>[1]) =>
    keysOf(project(scan(document).root, projection)).sort();
  expect(part({ summary: 'true' })).toEqual(['confidentiality', 'meta', 'resourceType', 'status']);
  expect(part({ summary: 'text' })).toEqual(['meta', 'resourceType', 'status']);
});
