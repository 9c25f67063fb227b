import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';

const messages = defineMessages('search', {
  crowded: 'Too many searches are running. Try again in a few seconds.',
  tooLong: {
    one: 'The search took more than {n} second and was stopped. Narrow it, or try again.',
    other: 'The search took more than {n} seconds and was stopped. Narrow it, or try again.',
  },
  abandoned: 'The client no longer waits for this search.',
});

/** Creates the error for too many concurrent searches. */
export function createCrowdedError(): FhirError {
  return new FhirError('crowded', messages.crowded(), { 'Retry-After': '5' });
}

/** @param timeoutMs - Milliseconds. */
export function tooLong(timeoutMs: number): FhirError {
  return new FhirError('unanswered', messages.tooLong({ n: Math.round(timeoutMs / 1000) }));
}

/** Creates the error for a client that has disconnected. Nobody receives it. */
export function createDisconnectedError(): FhirError {
  return new FhirError('unanswered', messages.abandoned());
}
