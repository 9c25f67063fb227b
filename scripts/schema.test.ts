import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cutDefinitions } from './schema-definitions.ts';
import { ensureSchema, generateModule, isSchemaStale } from './schema.ts';
import { readSources, root } from './schema-sources.ts';

const sources = readSources();
const definitions = cutDefinitions(sources);
let text = '';

beforeAll(() => {
  ensureSchema();
  text = readFileSync(resolve(root, 'core/fhir/validation/generated/record-schema.js'), 'utf8');
});

test('the module imports nothing and compiles nothing at run time', () => {
  // Strings are data, among them names of FHIR elements; what is left is code.
  const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/^\/\/.*\n/, '');
  expect(code).not.toMatch(/\b(?:import|require|eval|Function)\b/);
  expect(text.length).toBeLessThan(600_000);
});

test('the module on disk is the one that its inputs make', () => {
  expect(isSchemaStale()).toBe(false);
  expect(generateModule(readSources())).toBe(text);
});

test('the definitions agree with the enums, lists and mandatory elements of the published schema', () => {
  expect(definitions.length).toBeGreaterThan(40);
  for (const { name, properties } of definitions) {
    const published = sources.schema.definitions[name] as any;
    for (const property of properties) {
      const other = published.properties[property.name];
      expect([name, property.name, other.type === 'array']).toEqual([name, property.name, property.repeats]);
      const codes = other.enum ?? other.items?.enum;
      // Expression.language is bound extensibly: the published schema is too strict.
      if (codes && name !== 'Expression') expect(new Set(property.codes)).toEqual(new Set(codes));
    }
    const mandatory = properties.filter((one) => one.required).map((one) => one.name);
    const required = (published.required ?? []).filter((one: string) => one !== 'resourceType');
    expect(mandatory).toEqual(expect.arrayContaining(required));
  }
});

test.each([
  ['CarePlan', 'status', 7],
  ['CarePlan', 'intent', 4],
  ['CarePlan_Detail', 'kind', 8],
  ['CarePlan_Detail', 'status', 9],
  ['Composition', 'status', 4],
  ['Composition', 'confidentiality', 6],
  ['Composition_Attester', 'mode', 4],
  ['Composition_RelatesTo', 'code', 4],
  ['Composition_Section', 'mode', 3],
  ['Narrative', 'status', 4],
])('%s.%s has the %i codes of its required binding', (name, element, count) => {
  const definition = definitions.find((one) => one.name === name);
  expect(definition?.properties.find((one) => one.name === element)?.codes).toHaveLength(count);
});
