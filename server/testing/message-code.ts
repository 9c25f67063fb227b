import { messageSystem } from '../../core/fhir/outcome.ts';
import type { Json } from './test-server.ts';

/** Returns the message code of an issue; undefined if it has none. */
export function messageCodeOf(issue: Json): string | undefined {
  const codings: readonly Json[] = issue?.details?.coding ?? [];
  return codings.find(({ system }) => system === messageSystem)?.code;
}
