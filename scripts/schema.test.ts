import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cutDefinitions } from './schema-definitions.ts';
import { recordTypes } from '../core/fhir/validation/generated/element-table.js';
import { furtherTypes } from '../core/fhir/validation/generated/further-types.js';
import { elementModule, furtherModule } from './schema-elements.ts';
import { constraintsOf, invariantsOf } from './schema-invariants.ts';
import { ensureSchema, isSchemaStale } from './schema.ts';
import { readSources, root } from './schema-sources.ts';

const sources = readSources();
const definitions = cutDefinitions(sources, sources.resourceNames);
const generated = resolve(root, 'core/fhir/validation/generated');

beforeAll(ensureSchema);

test('the tables import nothing and hold data alone', () => {
  for (const file of ['element-table.js', 'further-types.js', 'ucum-table.js']) {
    // Strings are data, among them names of FHIR elements; what is left is code.
    const text = readFileSync(resolve(generated, file), 'utf8');
    const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""').replace(/^\/\/.*\n/, '');
    expect(code).not.toMatch(/\b(?:import|require|eval|Function)\b|=>/);
    expect(text.length).toBeLessThan(450_000);
  }
});

test('the tables on disk are those that their inputs make', () => {
  expect(isSchemaStale()).toBe(false);
  for (const [file, make] of [
    ['element-table.js', elementModule],
    ['further-types.js', furtherModule],
  ] as const) {
    expect(make(readSources())).toBe(readFileSync(resolve(generated, file), 'utf8'));
  }
});

test('every resource type of FHIR R4 has a table, and nothing beside them but the data types that they reach', () => {
  const groups = new Set(Object.keys(furtherTypes));
  expect(sources.resourceNames).toHaveLength(146);
  expect(sources.resourceNames.filter((name) => !groups.has(name) && !recordTypes.elements[name])).toEqual(
    [],
  );
  expect([...groups].filter((name) => !sources.resourceNames.includes(name)).toSorted()).toEqual([
    'ElementDefinition',
    'MarketingStatus',
    'Population',
    'ProdCharacteristic',
    'ProductShelfLife',
    'SubstanceAmount',
  ]);
});

test('the invariants of R4 that are not judged are these, as each could take longer than its element is large', () => {
  const all = cutDefinitions(sources, sources.resourceNames);
  const unjudged = all.flatMap((one) => {
    const judged = invariantsOf(one, sources).map(([key]) => key);
    return constraintsOf(one, sources).flatMap(({ key }) => (judged.includes(key) ? [] : [key]));
  });
  expect(unjudged).toEqual([
    'ctm-1',
    ...['eld-2', 'eld-16', 'eld-19', 'eld-20'],
    ...['sdf-9', 'sdf-19', 'sdf-8a', 'sdf-8'],
  ]);
  expect(all.flatMap((one) => invariantsOf(one, sources)).length).toBeGreaterThan(180);
});

test('the definitions of all types agree with the enums, lists and mandatory elements of the published schema', () => {
  expect(definitions.length).toBeGreaterThan(600);
  const differing = new Set<string>();
  for (const { name, properties } of definitions) {
    const published = sources.schema.definitions[name] as any;
    for (const property of properties) {
      // The open choice has it (FHIR R4 datatypes.html#open); the published schema leaves it out.
      if (property.name === 'valueMeta') continue;
      const other = published.properties[property.name];
      const place = `${name}.${property.name}`;
      if ((other.type === 'array') !== property.repeats) differing.add(`${place} repeats`);
      const codes = new Set<string>(other.enum ?? other.items?.enum ?? property.codes);
      const own = new Set(property.codes);
      for (const code of [...codes, ...own]) {
        if (codes.has(code) !== own.has(code)) differing.add(`${place} ${code}`);
      }
    }
    const mandatory = properties.filter((one) => one.required).map((one) => one.name);
    const required = (published.required ?? []).filter((one: string) => one !== 'resourceType');
    for (const one of required.filter((one: string) => !mandatory.includes(one)))
      differing.add(`${name} ${one}`);
  }
  expect([...differing]).toEqual([
    // R4 has had a technical correction since.
    'CapabilityStatement.fhirVersion 4.0.1',
    // Bound extensibly: the published schema is too strict.
    'Expression.language text/cql',
    'Expression.language text/fhirpath',
    'Expression.language application/x-fhir-query',
    'ImplementationGuide.fhirVersion 4.0.1',
    'ImplementationGuide_Resource.fhirVersion 4.0.1',
    'StructureDefinition.fhirVersion 4.0.1',
  ]);
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
