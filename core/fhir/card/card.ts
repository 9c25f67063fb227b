/**
 * core/fhir/card summarizes an open record: the important facts, each with its JSON Pointer. Called by the
 * page. Invariant: accepts any shape; a missing fact is empty.
 */
import type { JsonNode } from '../../json/node.ts';
import { activityAt, type CardActivity } from './activity.ts';
import { emptyReasonOf } from '../modifiers/modifiers.ts';
import { containedOf, referencesAt } from './contained.ts';
import { sectionName } from './section.ts';
import { listDetails, type CardDetail } from './facts.ts';
import { getChild, listItems, textAt } from './parts.ts';
import type { CardReference, CardText, NodeAtPointer } from './parts.ts';

export interface RecordCard {
  readonly type: string;
  readonly facts: readonly CardDetail[];
  readonly description: string;
  readonly goals: readonly CardReference[];
  readonly activities: readonly CardActivity[];
  readonly sections: readonly CardSection[];
  readonly notes: readonly CardText[];
  /** XHTML of the narrative as written. Show it only in a sandbox. */
  readonly narrative: string;
}

/** Summarizes a record as of `today` (YYYY-MM-DD). */
export function cardOf(record: JsonNode, today: string): RecordCard {
  const root: NodeAtPointer = { node: record, pointer: '' };
  const child = (...keys: string[]) => getChild(root, ...keys);
  const type = textAt(child('resourceType'));
  const contained = containedOf(root);
  return {
    type,
    facts: listDetails(root, type, today),
    description: textAt(child('description')),
    goals: referencesAt(child('goal'), contained),
    activities: listItems(child('activity')).map((activity) => activityAt(activity, contained, today)),
    sections: sectionsAt(child('section')),
    notes: listItems(child('note'))
      .map((note) => ({ text: textAt(getChild(note, 'text')), pointer: note.pointer }))
      .filter(({ text }) => text !== ''),
    narrative: textAt(child('text', 'div')),
  };
}

export interface CardSection {
  /** Title; empty if the record has none. */
  readonly title: string;
  readonly entries: number;
  /** True if the section has a narrative. */
  readonly hasText: boolean;
  /** The reason for being empty, if stated. */
  readonly emptyReason: string;
  readonly sections: readonly CardSection[];
  readonly pointer: string;
}

/**
 * Summarizes the sections of a Composition, including nested ones (FHIR R4
 * composition-definitions.html#Composition.section).
 */
function sectionsAt(sections: NodeAtPointer): CardSection[] {
  return listItems(sections).map((section) => ({
    title: sectionName(section),
    entries: listItems(getChild(section, 'entry')).length,
    hasText: textAt(getChild(section, 'text', 'div')) !== '',
    emptyReason: emptyReasonOf(section.node),
    sections: sectionsAt(getChild(section, 'section')),
    pointer: section.pointer,
  }));
}
