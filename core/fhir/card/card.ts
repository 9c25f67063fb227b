/**
 * core/fhir/card sums an open record up for a reader: what a person wants to know of it, each with the JSON Pointer of
 * where it stands. Called by the page. Invariant: tolerates any shape; blank where nothing is said.
 */
import type { JsonNode } from '../../json/node.ts';
import { activityAt, type CardActivity } from './activity.ts';
import { emptyReasonOf } from '../modifiers/modifiers.ts';
import { containedOf, referencesAt } from './contained.ts';
import { sectionName } from './section.ts';
import { factsOf, type CardFact } from './facts.ts';
import { below, each, textAt } from './parts.ts';
import type { CardReference, CardText, Place } from './parts.ts';

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
    goals: referencesAt(at('goal'), contained),
    activities: each(at('activity')).map((one) => activityAt(one, contained, today)),
    sections: sectionsAt(at('section')),
    notes: each(at('note'))
      .map((one) => ({ text: textAt(below(one, 'text')), pointer: one.pointer }))
      .filter(({ text }) => text !== ''),
    narrative: textAt(at('text', 'div')),
  };
}

export interface CardSection {
  /** What it is called; blank where the record does not say. */
  readonly title: string;
  /** How many resources it lists. */
  readonly entries: number;
  /** Whether it says something to a reader. */
  readonly hasText: boolean;
  /** Why it is empty, where that is said. */
  readonly emptyReason: string;
  readonly sections: readonly CardSection[];
  readonly pointer: string;
}

/** Sums up the sections of a Composition (FHIR R4 composition-definitions.html#Composition.section), nested ones within. */
function sectionsAt(place: Place): CardSection[] {
  return each(place).map((one) => ({
    title: sectionName(one),
    entries: each(below(one, 'entry')).length,
    hasText: textAt(below(one, 'text', 'div')) !== '',
    emptyReason: emptyReasonOf(one.node),
    sections: sectionsAt(below(one, 'section')),
    pointer: one.pointer,
  }));
}
