import { items, member, type JsonNode } from '../../json/node.ts';
import {
  getChild,
  conceptText,
  listItems,
  textAt,
  type CardReference,
  type NodeAtPointer,
} from '../card/parts.ts';
import { referenceAt, referencesAt, referenceWithin, type Contained } from '../card/contained.ts';
import { sectionName } from '../card/section.ts';
import { emptyReasonOf, modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { narrativeAt, type Narrative } from './narrative.ts';

export interface ReadableDocument {
  readonly attesters: readonly Attester[];
  /** Events that the document describes. */
  readonly events: readonly DocumentEvent[];
  readonly confidentiality: string;
  /** The requested number of sections in document order. Nested sections follow their parent. */
  readonly sections: readonly ReadableSection[];
  readonly sectionCount: number;
}

interface Attester {
  readonly mode: string;
  /** A dateTime as written; empty if absent. */
  readonly time: string;
  readonly party: CardReference | undefined;
  readonly pointer: string;
}

interface DocumentEvent {
  readonly text: string;
  readonly start: string;
  readonly end: string;
  readonly details: readonly CardReference[];
  readonly pointer: string;
}

type SectionContent = 'text' | 'entriesOnly' | 'sections' | 'none';

export interface ReadableSection {
  /** Title; empty if the record has none. */
  readonly title: string;
  /** Nesting depth. */
  readonly depth: number;
  readonly content: SectionContent;
  readonly narrative: Narrative | undefined;
  readonly entries: readonly CardReference[];
  readonly focus: CardReference | undefined;
  readonly authors: readonly CardReference[];
  /** The reason for being empty, if stated. */
  readonly emptyReason: string;
  readonly pointer: string;
}

/** Returns a Composition as a document with its first sections (FHIR R4 composition.html). */
export function documentAt(root: NodeAtPointer, contained: Contained, maxSections: number): ReadableDocument {
  return {
    attesters: listItems(getChild(root, 'attester')).map((attester) => ({
      mode: textAt(getChild(attester, 'mode')),
      time: textAt(getChild(attester, 'time')),
      party: partyOf(attester, contained),
      pointer: attester.pointer,
    })),
    events: listItems(getChild(root, 'event')).map((event) => ({
      text: modifiedName(
        listItems(getChild(event, 'code')).map(conceptText).filter(Boolean).join(', '),
        unknownModifiers(event.node),
        'Event',
      ).name,
      start: textAt(getChild(event, 'period', 'start')),
      end: textAt(getChild(event, 'period', 'end')),
      details: referencesAt(getChild(event, 'detail'), contained),
      pointer: event.pointer,
    })),
    confidentiality: textAt(getChild(root, 'confidentiality')),
    sections: takeFirst(sectionsIn(root, contained, 0), maxSections),
    sectionCount: countSections(root.node),
  };
}

/** Returns the party that attested; undefined if there is none. */
function partyOf(attester: NodeAtPointer, contained: Contained): CardReference | undefined {
  const party = referenceAt(getChild(attester, 'party'), contained);
  return party && referenceWithin(attester, party);
}

function* sectionsIn(
  element: NodeAtPointer,
  contained: Contained,
  depth: number,
): Generator<ReadableSection, undefined> {
  for (const section of listItems(getChild(element, 'section'))) {
    const narrative = narrativeAt(section);
    const entries = listItems(getChild(section, 'entry'));
    const childSections = listItems(getChild(section, 'section'));
    yield {
      title: sectionName(section),
      depth,
      content: classifyContent(narrative !== undefined, entries.length, childSections.length),
      narrative,
      // An entry without a name or reference still counts.
      entries: entries.map(
        (entry) => referenceAt(entry, contained) ?? { reference: '', display: '', pointer: entry.pointer },
      ),
      focus: referenceAt(getChild(section, 'focus'), contained),
      authors: referencesAt(getChild(section, 'author'), contained),
      emptyReason: emptyReasonOf(section.node),
      pointer: section.pointer,
    };
    if (childSections.length > 0) yield* sectionsIn(section, contained, depth + 1);
  }
}

function takeFirst<Item>(sequence: Iterable<Item>, limit: number): Item[] {
  const firstItems: Item[] = [];
  for (const item of sequence) {
    if (firstItems.length >= limit) break;
    firstItems.push(item);
  }
  return firstItems;
}

function countSections(node: JsonNode | undefined): number {
  const childSections = member(node, 'section');
  const sections = childSections?.kind === 'object' ? [childSections] : items(childSections);
  return sections.reduce((sum, section) => sum + 1 + countSections(section), 0);
}

function classifyContent(hasText: boolean, entries: number, sections: number): SectionContent {
  if (hasText) return 'text';
  if (entries > 0) return 'entriesOnly';
  return sections > 0 ? 'sections' : 'none';
}
