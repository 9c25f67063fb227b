/**
 * core/fhir/card sums an open record up for a reader: what a person wants to know of a plan or a document, each with
 * the JSON Pointer of where it stands. Called by the page. Invariant: tolerates any shape; blank where nothing is said.
 */
import type { JsonNode } from '../../json/node.ts';
import { activityAt, type CardActivity } from './activity.ts';
import { sectionsAt, type CardSection } from './section.ts';
import {
  below,
  conceptText,
  conceptsAt,
  each,
  pointerOf,
  referenceAt,
  referencesAt,
  textAt,
  type CardReference,
  type CardText,
  type Place,
} from './parts.ts';
import { periodAt, type CardPeriod } from './span.ts';

export interface RecordCard {
  readonly type: string;
  readonly status: string;
  readonly intent: string;
  readonly description: string;
  readonly subject?: CardReference;
  readonly encounter?: CardReference;
  readonly custodian?: CardReference;
  readonly period?: CardPeriod;
  /** Whether the plan is open although its period is over. */
  readonly overdue: boolean;
  /** Date of a document, creation of a plan; as written. */
  readonly date: string;
  /** What kind of document it is. */
  readonly kind: string;
  readonly categories: readonly CardText[];
  readonly authors: readonly CardReference[];
  readonly attesters: readonly CardReference[];
  readonly careTeam: readonly CardReference[];
  readonly addresses: readonly CardReference[];
  readonly goals: readonly CardReference[];
  readonly activities: readonly CardActivity[];
  readonly sections: readonly CardSection[];
  readonly notes: readonly CardText[];
  /** XHTML of the narrative, as written; not fit to be shown without a sandbox. */
  readonly narrative: string;
}

const open = new Set(['draft', 'active', 'on-hold']);

/** Sums a record up as of `today` (YYYY-MM-DD). */
export function cardOf(record: JsonNode, today: string): RecordCard {
  const root: Place = { node: record, tokens: [] };
  const at = (...keys: string[]) => below(root, ...keys);
  const status = textAt(at('status'));
  const subject = referenceAt(at('subject'));
  const encounter = referenceAt(at('encounter'));
  const custodian = referenceAt(at('custodian'));
  const period = periodAt(at('period'), today);
  return {
    type: textAt(at('resourceType')),
    status,
    intent: textAt(at('intent')),
    description: textAt(at('description')),
    ...(subject && { subject }),
    ...(encounter && { encounter }),
    ...(custodian && { custodian }),
    ...(period && { period }),
    overdue: open.has(status) && period?.over !== undefined,
    date: textAt(at('date')) || textAt(at('created')),
    kind: conceptText(at('type')),
    categories: conceptsAt(at('category')),
    authors: referencesAt(at('author')),
    attesters: each(at('attester')).flatMap((one) => referenceAt(below(one, 'party')) ?? []),
    careTeam: referencesAt(at('careTeam')),
    addresses: referencesAt(at('addresses')),
    goals: referencesAt(at('goal')),
    activities: each(at('activity')).map((one) => activityAt(one, today)),
    sections: sectionsAt(at('section')),
    notes: each(at('note'))
      .map((one) => ({ text: textAt(below(one, 'text')), pointer: pointerOf(one) }))
      .filter(({ text }) => text !== ''),
    narrative: textAt(at('text', 'div')),
  };
}
