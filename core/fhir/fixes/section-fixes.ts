import { setMemberAt } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { escapeMarkup } from '../escape-markup.ts';
import { createRemovalOptions, createNamedRemoval } from './element-fixes.ts';
import { nodeOf, type Fix, type FixContext, type FixOption } from './fix.ts';

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

/** Creates a narrative from elements of the record (FHIR R4 narrative.html: `generated`). */
function narrativeOf(markup: string): JsonNode {
  return nodeOf({ status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>` });
}

/** Returns the text of a reason, or the display of its first code with one. */
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

/** Writes the reason for an empty section as text. If there is none, offers R4's reasons. */
function explainEmptySection(context: FixContext): readonly FixOption[] {
  const { root, tokens, node } = context;
  const reason = member(node, 'emptyReason');
  const write = (record: JsonNode, text: string) =>
    setMemberAt(record, tokens, 'text', narrativeOf(escapeMarkup(text)));
  if (reason) {
    const text = textOfReason(reason)?.trim() ?? '';
    if (text === '') return [];
    return [
      { id: 'cmp-1=reason', label: 'Write the narrative from emptyReason', fixedRoot: write(root, text) },
    ];
  }
  return Object.entries(reasons).map(([code, display]) => {
    const stated = nodeOf({ coding: [{ system: reasonSystem, code, display }] });
    const label = `State why it is empty: ${display}`;
    return {
      id: `cmp-1=${code}`,
      label,
      fixedRoot: write(setMemberAt(root, tokens, 'emptyReason', stated), display),
    };
  });
}

/** Creates a narrative from the names of a section's entries, if each has one. */
function listEntryNames({ root, tokens, node }: FixContext): readonly FixOption[] {
  const names = items(member(node, 'entry')).map((entry) => stringMember(entry, 'display'));
  if (names.length === 0 || names.includes(undefined)) return [];
  const list = names.map((name) => `<li>${escapeMarkup(name ?? '')}</li>`);
  return [
    {
      id: 'section-without-text',
      label: 'Write the narrative from the entries’ names',
      fixedRoot: setMemberAt(root, tokens, 'text', narrativeOf(`<ul>${list.join('')}</ul>`)),
    },
  ];
}

/** Fixes of the sections of documents. */
export const sectionFixes: readonly Fix[] = [
  {
    rule: 'cmp-1',
    label: 'Explain or remove empty sections',
    reasonWithoutOptions: 'The section has other content that would be lost. Add text or entries.',
    listOptions: (context) => [
      ...explainEmptySection(context),
      ...createRemovalOptions('cmp-1=remove', 'Remove empty section')(context),
    ],
  },
  {
    rule: 'cmp-2',
    label: 'Remove emptyReason',
    reasonWithoutOptions: 'Only someone who knows the document can tell which one is right.',
    listOptions: createNamedRemoval({ id: 'cmp-2', name: 'emptyReason', path: ['emptyReason'] }),
  },
  {
    rule: 'section-without-text',
    label: 'Write narratives from the entries’ names',
    reasonWithoutOptions: 'Not all entries have a name.',
    listOptions: listEntryNames,
  },
];
