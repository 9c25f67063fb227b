import { expect, test } from 'vitest';
import { FhirError } from '../fhir/outcome.ts';
import { checkAcceptable, parsePrefer, preferenceApplied } from './negotiation.ts';
import { parseIfMatch } from './precondition.ts';

function taken(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof FhirError) return false;
    throw error;
  }
}

// Row 74 of docs/api-rows.md.
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
])('accepts %j with _format %j: %s', (accept, format, isAccepted) => {
  expect(taken(() => checkAcceptable(accept, format))).toBe(isAccepted);
});

test.each([
  [undefined, 'any'],
  [' * ', 'any'],
  ['W/"3"', [3]],
  ['"3", ,W/"4",', [3, 4]],
])('parses If-Match %j as %j', (header, versions) => {
  expect(parseIfMatch(header)).toEqual(versions);
});

test.each(['', ' , ', 'W/"3", x', '3'])('rejects If-Match %j', (header) => {
  expect(taken(() => parseIfMatch(header))).toBe(false);
  expect(() => parseIfMatch(header)).toThrow('If-Match must be an ETag');
});

test.each([
  ['return=minimal', 'return=minimal'],
  ['handling=lenient, return="representation"', 'return=representation, handling=lenient'],
  ['return=OPERATIONOUTCOME; return=minimal', 'return=OperationOutcome'],
  ['respond-async', undefined],
])('applies Prefer: %s as %j', (header, applied) => {
  expect(preferenceApplied(parsePrefer(header))).toEqual(
    applied === undefined ? {} : { 'Preference-Applied': applied },
  );
});
