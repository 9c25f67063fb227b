/**
 * core/fhir/reading prepares an open record for reading: all its content in the order of a reader's
 * questions, each part with its JSON Pointer. Called by the page. Invariant: accepts any shape; shows values
 * as written, numbers digit by digit.
 */
import type { JsonNode } from '../../json/node.ts';
import { listDetails, type CardDetail } from '../card/facts.ts';
import { getChild, textAt, listItems, type CardReference, type NodeAtPointer } from '../card/parts.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { recordTitle } from '../summary.ts';
import { planTimes } from '../timeline/plan-times.ts';
import {
  containedOf,
  referencesAt,
  referenceAt,
  referenceWithin,
  type Contained,
} from '../card/contained.ts';
import { documentAt, type ReadableDocument } from './document.ts';
import { narrativeAt, type Narrative } from './narrative.ts';
import { notesAt, type Note } from './notes.ts';
import { planAt, type ReadablePlan } from './plan.ts';

/** A record prepared for reading. */
export interface ReadableRecord {
  readonly type: string;
  /** The record's name, the same as in other views. */
  readonly title: string;
  readonly description: string;
  readonly facts: readonly CardDetail[];
  readonly relations: readonly Relation[];
  readonly notes: readonly Note[];
  readonly contributors: readonly CardReference[];
  /** The narrative of the whole record. */
  readonly narrative: Narrative | undefined;
  readonly document?: ReadableDocument;
  readonly plan?: ReadablePlan;
}

/** Prepares a record for reading as of `today` (YYYY-MM-DD), with up to `maxSections` sections of a document. */
export function toReadableRecord(record: JsonNode, today: string, maxSections = Infinity): ReadableRecord {
  const root: NodeAtPointer = { node: record, pointer: '' };
  const type = textAt(getChild(root, 'resourceType'));
  const contained = containedOf(root);
  const readerKind = isResourceType(type) ? definitionOf(type).readingView : undefined;
  return {
    type,
    title: recordTitle(record),
    description: textAt(getChild(root, 'description')),
    facts: listDetails(root, type, today),
    relations: relationsOf(root, contained),
    notes: notesAt(getChild(root, 'note')),
    contributors: referencesAt(getChild(root, 'contributor'), contained),
    narrative: narrativeAt(root),
    ...(readerKind === 'document' && { document: documentAt(root, contained, maxSections) }),
    ...(readerKind === 'plan' && { plan: planAt(root, contained, planTimes(record, today)) }),
  };
}

/** A relation of the record to another one. */
interface Relation {
  /** The record's word: `replaces`, `appends`, `basedOn` ... */
  readonly kind: string;
  readonly to: CardReference;
}

/** Elements that refer to other records. */
const elements = [
  'basedOn',
  'replaces',
  'partOf',
  'supportingInfo',
  'instantiatesCanonical',
  'instantiatesUri',
];

/** Returns the records that a record is based on, replaces or is part of, and the records in `relatesTo`. */
function relationsOf(root: NodeAtPointer, contained: Contained): Relation[] {
  const plain = elements.flatMap((kind) =>
    listItems(getChild(root, kind)).flatMap((element) => {
      const to = referenceOrUri(element, contained);
      return to ? [{ kind, to }] : [];
    }),
  );
  const coded = listItems(getChild(root, 'relatesTo')).flatMap((related) => {
    const target = getChild(related, 'targetReference');
    const to = referenceAt(target, contained) ?? referenceAt(identifierAsReference(related), contained);
    if (!to) return [];
    return [
      {
        kind: textAt(getChild(related, 'code')),
        to: referenceWithin(related, { ...to, pointer: related.pointer }),
      },
    ];
  });
  return [...coded, ...plain];
}

function referenceOrUri(element: NodeAtPointer, contained: Contained): CardReference | undefined {
  const uri = textAt(element);
  return uri === ''
    ? referenceAt(element, contained)
    : { reference: uri, display: '', pointer: element.pointer };
}

/** Wraps an identifier. Its value names a reference without a literal. */
function identifierAsReference(element: NodeAtPointer): NodeAtPointer {
  const { node, pointer } = getChild(element, 'targetIdentifier');
  if (!node) return { node, pointer };
  const key = { key: 'identifier', keySource: '"identifier"', keySpan: node, value: node };
  return { node: { kind: 'object', members: [key], start: node.start, end: node.end }, pointer };
}
