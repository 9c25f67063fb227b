import { FhirError } from '../../core/fhir/outcome.ts';

/** What becomes of a question that is not answered. */
export function crowded(): FhirError {
  const text = 'Too many searches wait for others; try again in some seconds.';
  return new FhirError('crowded', { text }, { 'Retry-After': '5' });
}

/** @param patience - In milliseconds. */
export function tooLong(patience: number): FhirError {
  const text = `The records were searched for ${Math.round(patience / 1000)} s and more, and the search was given up. Narrow it, or try again.`;
  return new FhirError('unanswered', { text });
}

/** Nobody is told. */
export function gone(): FhirError {
  return new FhirError('unanswered', { text: 'Nobody waits for this search any more.' });
}
