import { items, member, type JsonNode } from '../../json/node.ts';
import { below, conceptText, each, textAt, type CardReference, type Place } from '../card/parts.ts';
import { referenceAt, referencesAt, referenceWithin, type Contained } from '../card/contained.ts';
import { sectionName } from '../card/section.ts';
import { emptyReasonOf, modifiedName, unknownModifiers } from '../modifiers/modifiers.ts';
import { narrativeAt, type Narrative } from './narrative.ts';

export interface DocumentReading {
  readonly attesters: readonly Attester[];
  /** What was done of which the document tells. */
  readonly events: readonly DocumentEvent[];
  readonly confidentiality: string;
  /** Nested ones stand behind the one that holds them; no more than were asked for. */
  readonly sections: readonly SectionReading[];
  /** How many there are in all. */
  readonly sectionCount: number;
}

interface Attester {
  readonly mode: string;
  /** A dateTime as written; blank where none is. */
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

/** What a section holds for a reader. */
type Fill = 'text' | 'entries' | 'sections' | 'nothing';

export interface SectionReading {
  /** What it is called; blank where the record does not say. */
  readonly title: string;
  /** How many sections it stands in. */
  readonly depth: number;
  readonly fill: Fill;
  readonly narrative: Narrative | undefined;
  readonly entries: readonly CardReference[];
  readonly focus: CardReference | undefined;
  readonly authors: readonly CardReference[];
  /** Why it is empty, where that is said. */
  readonly emptyReason: string;
  readonly pointer: string;
}

/** A Composition (FHIR R4 composition.html) as the document whose head it is, with its first sections. */
export function documentAt(root: Place, contained: Contained, mostSections: number): DocumentReading {
  return {
    attesters: each(below(root, 'attester')).map((one) => ({
      mode: textAt(below(one, 'mode')),
      time: textAt(below(one, 'time')),
      party: partyOf(one, contained),
      pointer: one.pointer,
    })),
    events: each(below(root, 'event')).map((one) => ({
      text: modifiedName(
        each(below(one, 'code')).map(conceptText).filter(Boolean).join(', '),
        unknownModifiers(one.node),
        'Event',
      ).name,
      start: textAt(below(one, 'period', 'start')),
      end: textAt(below(one, 'period', 'end')),
      details: referencesAt(below(one, 'detail'), contained),
      pointer: one.pointer,
    })),
    confidentiality: textAt(below(root, 'confidentiality')),
    sections: firstOf(sectionsIn(root, contained, 0), mostSections),
    sectionCount: countIn(root.node),
  };
}

/** Who attested; of one without a party undefined. */
function partyOf(attester: Place, contained: Contained): CardReference | undefined {
  const party = referenceAt(below(attester, 'party'), contained);
  return party && referenceWithin(attester, party);
}

function* sectionsIn(
  place: Place,
  contained: Contained,
  depth: number,
): Generator<SectionReading, undefined> {
  for (const one of each(below(place, 'section'))) {
    const narrative = narrativeAt(one);
    const entries = each(below(one, 'entry'));
    const within = each(below(one, 'section'));
    yield {
      title: sectionName(one),
      depth,
      fill: fillOf(narrative !== undefined, entries.length, within.length),
      narrative,
      // An entry that names nothing is one all the same.
      entries: entries.map(
        (entry) => referenceAt(entry, contained) ?? { reference: '', display: '', pointer: entry.pointer },
      ),
      focus: referenceAt(below(one, 'focus'), contained),
      authors: referencesAt(below(one, 'author'), contained),
      emptyReason: emptyReasonOf(one.node),
      pointer: one.pointer,
    };
    if (within.length > 0) yield* sectionsIn(one, contained, depth + 1);
  }
}

function firstOf<Item>(all: Iterable<Item>, most: number): Item[] {
  const first: Item[] = [];
  for (const one of all) {
    if (first.length >= most) break;
    first.push(one);
  }
  return first;
}

function countIn(node: JsonNode | undefined): number {
  const within = member(node, 'section');
  const all = within?.kind === 'object' ? [within] : items(within);
  return all.reduce((sum, one) => sum + 1 + countIn(one), 0);
}

function fillOf(hasText: boolean, entries: number, sections: number): Fill {
  if (hasText) return 'text';
  if (entries > 0) return 'entries';
  return sections > 0 ? 'sections' : 'nothing';
}
