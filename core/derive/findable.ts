import { humanName } from '../fhir/names.ts';
import { parseReference } from '../fhir/reference.ts';
import { definitionOf, type ResourceType } from '../fhir/resource.ts';
import { bareTitle, summarize } from '../fhir/summary.ts';
import { member, stringMember, type JsonNode, type JsonObject } from '../json/node.ts';
import { wordsOf, wordsOfXhtml } from './words.ts';

/** Kinds of texts. The index stores the position of a kind in this list. Codes are found as a whole only. */
export const textKinds = ['title', 'patient', 'name', 'identifier', 'display', 'code'] as const;
export type TextKind = (typeof textKinds)[number];

/** Content of a record in the finder. */
export interface Findable {
  readonly title: string;
  readonly status: string;
  /** FHIR dateTime as written; start and end of a period. */
  readonly date: string;
  readonly end: string;
  /** Id and name of the patient; empty if the record has none. */
  readonly subject: { readonly id: string; readonly name: string };
  /** Distinct short texts: their words, separated by spaces. */
  readonly texts: readonly { readonly kind: TextKind; readonly words: string }[];
  /** Distinct words of the record, narratives included. */
  readonly words: readonly string[];
}

/** Longer texts are not names. Only their words are indexed. */
const maxTextLength = 200;

/** Limits of one record. Further content is not indexed. */
const limits = { texts: 1000, words: 20_000 };

class Collector {
  readonly texts = new Map<string, Findable['texts'][number]>();
  readonly words = new Set<string>();

  add(kind: TextKind, text: string): void {
    const words = wordsOf(text);
    const phrase = words.join(' ');
    if (phrase === '') return;
    if (kind !== 'code') this.addWords(words);
    if (text.length > maxTextLength || this.texts.size >= limits.texts) return;
    // The first kind of a text counts. Codes and identifiers also count separately, because searches name
    // these kinds.
    const key = kind === 'code' || kind === 'identifier' ? `${kind} ${phrase}` : phrase;
    if (!this.texts.has(key)) this.texts.set(key, { kind, words: phrase });
  }

  addWords(words: readonly string[]): void {
    for (const word of words) if (this.words.size < limits.words) this.words.add(word);
  }
}

/** Returns the finder's content of a record of any form. */
export function findable(type: ResourceType, record: JsonObject): Findable {
  const { title, status, date, end, subjectName } = summarize(record);
  const subject = { id: subjectId(type, record), name: subjectName };
  const collector = new Collector();
  // Searches match the beginning, so a negation must not be in front.
  collector.add('title', bareTitle(record));
  collector.add('title', title);
  collector.add('patient', subject.name);
  collect(collector, record, '');
  const { texts, words } = collector;
  return { title, status, date, end, subject, texts: [...texts.values()], words: [...words] };
}

/** Returns the id of the patient; empty if it is missing or the patient is a contained resource. */
function subjectId(type: ResourceType, record: JsonNode): string {
  const subject = member(record, definitionOf(type).summary.subject);
  const target = parseReference(stringMember(subject, 'reference') ?? '');
  return target && target.base !== '#' ? target.id : '';
}

/**
 * Kind of a text by the name of its element, in any resource.
 *
 * @param parentName - Name of the surrounding element.
 */
const readers: Readonly<Record<string, (parent: JsonObject, parentName: string) => TextKind>> = {
  display: (parent) => (member(parent, 'code') || member(parent, 'system') ? 'display' : 'name'),
  text: (_, parentName) => (parentName === 'name' ? 'name' : 'display'),
  title: () => 'display',
  description: () => 'display',
  name: () => 'name',
  code: () => 'code',
};

function collect(collector: Collector, node: JsonNode, name: string): void {
  if (node.kind === 'array') for (const item of node.items) collect(collector, item, name);
  if (node.kind !== 'object') return;
  if (name === 'name') collector.add('name', humanName(node));
  for (const { key, value } of node.members) {
    if (value.kind !== 'string') collect(collector, value, key);
    else if (key === 'div') collector.addWords(wordsOfXhtml(value.value));
    else if (key === 'value' && name === 'identifier') collector.add('identifier', value.value);
    else if (Object.hasOwn(readers, key)) {
      const kind = readers[key]?.(node, name);
      if (kind) collector.add(kind, value.value);
    }
  }
}
