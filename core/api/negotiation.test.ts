import { expect, test } from 'vitest';
import { FhirError } from '../fhir/outcome.ts';
import { checkAcceptable } from './negotiation.ts';
import { parseIfMatch } from './precondition.ts';
import { parsePrefer, preferenceApplied } from './prefer.ts';

function taken(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof FhirError) return false;
    throw error;
  }
}

test.each([
  [undefined, undefined, true],
  ['', undefined, true],
  [' ', undefined, true],
  ['text/html, application/fhir+json;q=0.1', undefined, true],
  ['application/json;q=0', undefined, false],
  ['application/fhir+json; fhirVersion=4.0', undefined, true],
  ['application/fhir+json; fhirVersion=5.0', undefined, false],
  ['application/fhir+xml', undefined, false],
  ['application/fhir+xml', 'application/fhir json', true],
  ['application/json', 'xml', false],
])('row 74: Accept %j with _format %j is answered: %s', (accept, format, is) => {
  expect(taken(() => checkAcceptable(accept, format))).toBe(is);
});

test.each([
  [undefined, 'any'],
  [' * ', 'any'],
  ['W/"3"', [3]],
  ['"3", ,W/"4",', [3, 4]],
])('If-Match %j accepts %j', (header, versions) => {
  expect(parseIfMatch(header)).toEqual(versions);
});

test.each(['', ' , ', 'W/"3", x', '3'])('If-Match %j is refused', (header) => {
  expect(taken(() => parseIfMatch(header))).toBe(false);
  expect(() => parseIfMatch(header)).toThrow('If-Match must hold an ETag of this record');
});

test.each([
  ['return=minimal', 'return=minimal'],
  ['handling=lenient, return="representation"', 'return=representation, handling=lenient'],
  ['return=OPERATIONOUTCOME; return=minimal', 'return=OperationOutcome'],
  ['respond-async', undefined],
])('Prefer: %s is followed as %j', (header, applied) => {
  expect(preferenceApplied(parsePrefer(header))).toEqual(
    applied === undefined ? {} : { 'Preference-Applied': applied },
  );
});
