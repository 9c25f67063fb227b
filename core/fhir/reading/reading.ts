/**
 * core/fhir/reading lays an open record out for a reader: all that it says, in the order in which a person asks, each
 * with the JSON Pointer of where it stands. Called by the page. Invariant: tolerates any shape; what is written is shown
 * as it is written, numbers digit by digit.
 */
import type { JsonNode } from '../../json/node.ts';
import { factsOf, type CardFact } from '../card/facts.ts';
import { below, textAt, type CardReference, type Place } from '../card/parts.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { recordTitle } from '../summary.ts';
import { planTimes } from '../timeline/plan-times.ts';
import { containedOf, referencesAt } from '../card/contained.ts';
import { documentAt, type DocumentReading } from './document.ts';
import { narrativeAt, type Narrative } from './narrative.ts';
import { notesAt, type Note } from './notes.ts';
import { planAt, type PlanReading } from './plan.ts';
import { relationsOf, type Relation } from './relations.ts';

export interface Reading {
  readonly type: string;
  /** The record's name, as every other view has it. */
  readonly title: string;
  readonly description: string;
  readonly facts: readonly CardFact[];
  readonly relations: readonly Relation[];
  readonly notes: readonly Note[];
  readonly contributors: readonly CardReference[];
  /** The text of the record as a whole. */
  readonly narrative: Narrative | undefined;
  readonly document?: DocumentReading;
  readonly plan?: PlanReading;
}

/** Lays a record out as of `today` (YYYY-MM-DD); of a document no more sections than `mostSections`. */
export function readingOf(record: JsonNode, today: string, mostSections = Infinity): Reading {
  const root: Place = { node: record, pointer: '' };
  const type = textAt(below(root, 'resourceType'));
  const contained = containedOf(root);
  const as = isResourceType(type) ? definitionOf(type).readAs : undefined;
  return {
    type,
    title: recordTitle(record),
    description: textAt(below(root, 'description')),
    facts: factsOf(root, type, today),
    relations: relationsOf(root, contained),
    notes: notesAt(below(root, 'note')),
    contributors: referencesAt(below(root, 'contributor'), contained),
    narrative: narrativeAt(root),
    ...(as === 'document' && { document: documentAt(root, contained, mostSections) }),
    ...(as === 'plan' && { plan: planAt(root, contained, planTimes(record, today)) }),
  };
}
