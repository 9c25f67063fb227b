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
])('%s is known without a package: %s', async (canonical, known) => {
  expect((await ownDefinitions()).isOwn(canonical)).toBe(known);
});

test('value sets and code systems of R4 are at hand, and no others', async () => {
  const own = await ownDefinitions();
  const found = ['ValueSet/request-status', 'request-status', 'ValueSet/nowhere'].map(
    (path) => own.find(`http://hl7.org/fhir/${path}`)?.resourceType,
  );
  expect(found).toEqual(['ValueSet', 'CodeSystem', undefined]);
});
