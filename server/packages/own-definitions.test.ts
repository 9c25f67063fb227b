import { expect, test } from 'vitest';
import { ownDefinitions } from './own-definitions.ts';

test.each([
  ['http://hl7.org/fhir/StructureDefinition/Patient', true],
  ['http://hl7.org/fhir/StructureDefinition/CodeableConcept|4.0.1', true],
  ['http://hl7.org/fhir/StructureDefinition/patient-birthPlace', false],
  ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan', false],
  ['urn:ietf:bcp:47', true],
  ['http://unitsofmeasure.org|2.1', true],
  ['http://unitsofmeasure.org.example', false],
])('knows %s without a package: %s', async (canonical, isKnown) => {
  expect((await ownDefinitions()).isOwn(canonical)).toBe(isKnown);
});

test('provides the value sets and code systems of R4 and no others', async () => {
  const r4Definitions = await ownDefinitions();
  const definitions = ['ValueSet/request-status', 'request-status', 'ValueSet/nowhere'].map(
    (path) => r4Definitions.find(`http://hl7.org/fhir/${path}`)?.resourceType,
  );
  expect(definitions).toEqual(['ValueSet', 'CodeSystem', undefined]);
});
