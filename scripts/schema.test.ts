import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { extractDefinitions } from './schema-definitions.ts';
import { recordTypes } from '../core/fhir/validation/generated/element-table.js';
import { furtherTypes } from '../core/fhir/validation/generated/further-types.js';
import { createElementModule, createFurtherModule } from './schema-elements.ts';
import { listConstraints, listInvariants } from './schema-invariants.ts';
import { ensureSchema, isSchemaStale } from './schema.ts';
import { readSources, root } from './schema-sources.ts';

const sources = readSources();
const definitions = extractDefinitions(sources, sources.resourceNames);
const generated = resolve(root, 'core/fhir/validation/generated');

beforeAll(ensureSchema);

test('imports nothing and contains only data in the tables', () => {
  for (const file of ['element-table.js', 'further-types.js', 'ucum-table.js']) {
    // Strings are data, such as names of FHIR elements. The remaining text is code.
    const text = readFileSync(resolve(generated, file), 'utf8');
    const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""').replace(/^\/\/.*\n/, '');
    expect(code).not.toMatch(/\b(?:import|require|eval|Function)\b|=>/);
    expect(text.length).toBeLessThan(450_000);
  }
});

test('has tables on disk that match their inputs', () => {
  expect(isSchemaStale()).toBe(false);
  for (const [file, createModuleText] of [
    ['element-table.js', createElementModule],
    ['further-types.js', createFurtherModule],
  ] as const) {
    expect(createModuleText(readSources())).toBe(readFileSync(resolve(generated, file), 'utf8'));
  }
});

test('has a table for every resource type of FHIR R4 and its data types, and no other', () => {
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

test('omits only those invariants of R4 whose evaluation may exceed linear time', () => {
  const allDefinitions = extractDefinitions(sources, sources.resourceNames);
  const omittedKeys = allDefinitions.flatMap((definition) => {
    const evaluatedKeys = listInvariants(definition, sources).map(([key]) => key);
    return listConstraints(definition, sources).flatMap(({ key }) =>
      evaluatedKeys.includes(key) ? [] : [key],
    );
  });
  expect(omittedKeys).toEqual([
    'ctm-1',
    'eld-2',
    'eld-16',
    'eld-19',
    'eld-20',
    'sdf-9',
    'sdf-19',
    'sdf-8a',
    'sdf-8',
  ]);
  expect(allDefinitions.flatMap((definition) => listInvariants(definition, sources)).length).toBeGreaterThan(
    180,
  );
});

test('agrees with the enums, lists and required elements of the published schema in all types', () => {
  expect(definitions.length).toBeGreaterThan(600);
  const differences = new Set<string>();
  for (const { name, properties } of definitions) {
    const published = sources.schema.definitions[name] as any;
    for (const property of properties) {
      // The open choice has it (FHIR R4 datatypes.html#open), but the published schema does not.
      if (property.name === 'valueMeta') continue;
      const publishedProperty = published.properties[property.name];
      const path = `${name}.${property.name}`;
      if ((publishedProperty.type === 'array') !== property.repeats) differences.add(`${path} repeats`);
      const codes = new Set<string>(
        publishedProperty.enum ?? publishedProperty.items?.enum ?? property.codes,
      );
      const ownCodes = new Set(property.codes);
      for (const code of [...codes, ...ownCodes]) {
        if (codes.has(code) !== ownCodes.has(code)) differences.add(`${path} ${code}`);
      }
    }
    const requiredNames = properties.filter((property) => property.required).map((property) => property.name);
    const publishedRequired = (published.required ?? []).filter(
      (publishedName: string) => publishedName !== 'resourceType',
    );
    for (const missingName of publishedRequired.filter(
      (missingName: string) => !requiredNames.includes(missingName),
    ))
      differences.add(`${name} ${missingName}`);
  }
  expect([...differences]).toEqual([
    // A technical correction changed R4 afterwards.
    'CapabilityStatement.fhirVersion 4.0.1',
    // The binding is extensible. The published schema is too strict.
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
])('has the codes of the required binding: %s.%s, %i codes', (name, element, count) => {
  const definition = definitions.find((candidate) => candidate.name === name);
  expect(definition?.properties.find((property) => property.name === element)?.codes).toHaveLength(count);
});
