import { inserted } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { escapeMarkup } from '../escape-markup.ts';
import { remove } from './element-fixes.ts';
import { nodeOf, type Fix, type FixPlace, type Way } from './fix.ts';

const reasonSystem = 'http://terminology.hl7.org/CodeSystem/list-empty-reason';

/** R4's reasons for a section to be empty, with their displays (valueset-list-empty-reason.html). */
const reasons: Readonly<Record<string, string>> = {
  nilknown: 'Nil Known',
  notasked: 'Not Asked',
  withheld: 'Information Withheld',
  unavailable: 'Unavailable',
  notstarted: 'Not Started',
  closed: 'Closed',
};

/** A narrative that is made of the record's elements (FHIR R4 narrative.html: `generated`). */
function narrativeOf(markup: string): JsonNode {
  return nodeOf({ status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>` });
}

/** The text of a reason: its own, or the display of its first code that has one. */
function textOfReason(reason: JsonNode): string | undefined {
  const ownText = stringMember(reason, 'text');
  if (ownText !== undefined) return ownText;
  for (const coding of items(member(reason, 'coding'))) {
    const isKnown = stringMember(coding, 'system') === reasonSystem;
    const display = stringMember(coding, 'display');
    const text = display ?? (isKnown ? reasons[stringMember(coding, 'code') ?? ''] : undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Writes the reason for being empty as text; where the section states none, offers R4's reasons to choose from. */
function sayWhyEmpty(place: FixPlace): readonly Way[] {
  const { root, tokens, node } = place;
  const reason = member(node, 'emptyReason');
  const write = (record: JsonNode, text: string) =>
    inserted(record, tokens, 'text', narrativeOf(escapeMarkup(text)));
  if (reason) {
    const text = textOfReason(reason)?.trim() ?? '';
    if (text === '') return [];
    return [{ id: 'cmp-1=reason', words: 'Write the reason as its text', root: write(root, text) }];
  }
  return Object.entries(reasons).map(([code, display]) => {
    const stated = nodeOf({ coding: [{ system: reasonSystem, code, display }] });
    const words = `State why it is empty: ${display}`;
    return {
      id: `cmp-1=${code}`,
      words,
      root: write(inserted(root, tokens, 'emptyReason', stated), display),
    };
  });
}

/** A narrative of the names of a section's entries, where each has one. */
function entryNames({ root, tokens, node }: FixPlace): readonly Way[] {
  const names = items(member(node, 'entry')).map((entry) => stringMember(entry, 'display'));
  if (names.length === 0 || names.includes(undefined)) return [];
  const list = names.map((name) => `<li>${escapeMarkup(name ?? '')}</li>`);
  return [
    {
      id: 'section-without-text',
      words: 'Write the names of its entries as its text',
      root: inserted(root, tokens, 'text', narrativeOf(`<ul>${list.join('')}</ul>`)),
    },
  ];
}

/** Fixes of the sections of documents. */
export const sectionFixes: readonly Fix[] = [
  {
    rule: 'cmp-1',
    words: 'Say in text why sections are empty, or remove them',
    none: 'Other elements of the section would be lost; fill it.',
    ways: (place) => [...sayWhyEmpty(place), ...remove('cmp-1=remove', 'Remove the empty section')(place)],
  },
  {
    rule: 'cmp-2',
    words: 'Remove the reason for being empty',
    none: 'Only who knows the document can say which is right.',
    ways: remove('cmp-2', 'Remove the reason for being empty', ['emptyReason']),
  },
  {
    rule: 'section-without-text',
    words: 'Write the names of entries as the text',
    none: 'Not all entries of the section have a name that could stand in a text.',
    ways: entryNames,
  },
];
