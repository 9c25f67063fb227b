/**
 * core/fhir/card sums an open record up for a reader: what a person wants to know of it, each with the JSON Pointer of
 * where it stands. Called by the page. Invariant: tolerates any shape; blank where nothing is said.
 */
import type { JsonNode } from '../../json/node.ts';
import { activityAt, type CardActivity } from './activity.ts';
import { containedOf } from './contained.ts';
import { factsOf, type CardFact } from './facts.ts';
import { below, each, referencesAt, textAt } from './parts.ts';
import type { CardReference, CardText, Place } from './parts.ts';
import { sectionsAt, type CardSection } from './section.ts';

export interface RecordCard {
  readonly type: string;
  readonly facts: readonly CardFact[];
  readonly description: string;
  readonly goals: readonly CardReference[];
  readonly activities: readonly CardActivity[];
  readonly sections: readonly CardSection[];
  readonly notes: readonly CardText[];
  /** XHTML of the narrative, as written; not fit to be shown without a sandbox. */
  readonly narrative: string;
}

/** Sums a record up as of `today` (YYYY-MM-DD). */
export function cardOf(record: JsonNode, today: string): RecordCard {
  const root: Place = { node: record, pointer: '' };
  const at = (...keys: string[]) => below(root, ...keys);
  const type = textAt(at('resourceType'));
  const contained = containedOf(root);
  return {
    type,
    facts: factsOf(root, type, today),
    description: textAt(at('description')),
    goals: referencesAt(at('goal')),
    activities: each(at('activity')).map((one) => activityAt(one, contained, today)),
    sections: sectionsAt(at('section')),
    notes: each(at('note'))
      .map((one) => ({ text: textAt(below(one, 'text')), pointer: one.pointer }))
      .filter(({ text }) => text !== ''),
    narrative: textAt(at('text', 'div')),
  };
}
