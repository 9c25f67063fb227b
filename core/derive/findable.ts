import { humanName } from '../fhir/names.ts';
import { parseReference } from '../fhir/reference.ts';
import { definitionOf, type ResourceType } from '../fhir/resource.ts';
import { bareTitle, summarise } from '../fhir/summary.ts';
import { member, stringMember, type JsonNode, type JsonObject } from '../json/node.ts';
import { wordsOf, wordsOfXhtml } from './words.ts';

/** What a text is; the number of its place is in the index. Codes are found whole alone. */
export const textKinds = ['title', 'patient', 'name', 'identifier', 'display', 'code'] as const;
export type TextKind = (typeof textKinds)[number];

/** What a finder shows of a record, and what it is found by. */
export interface Findable {
  readonly title: string;
  readonly status: string;
  /** FHIR dateTime as written; the start and the end where the record is about a period. */
  readonly date: string;
  readonly end: string;
  /** Whom it is about: the bare id, and the name; either is empty where the record does not say. */
  readonly subject: { readonly id: string; readonly name: string };
  /** Short texts, each once: their words with a space between. */
  readonly texts: readonly { readonly kind: TextKind; readonly words: string }[];
  /** Every word of it, narratives included, each once. */
  readonly words: readonly string[];
}

/** A longer text is no name of anything; its words count. */
const longest = 200;

/** What one record brings at most: the rest of a larger one is not found. */
const most = { texts: 1000, words: 20_000 };

class Collector {
  readonly texts = new Map<string, Findable['texts'][number]>();
  readonly words = new Set<string>();

  add(kind: TextKind, text: string): void {
    const words = wordsOf(text);
    const joined = words.join(' ');
    if (joined === '') return;
    if (kind !== 'code') this.addWords(words);
    if (text.length > longest || this.texts.size >= most.texts) return;
    // What a text is first counts, and what is asked for by its kind counts beside.
    const key = kind === 'code' || kind === 'identifier' ? `${kind} ${joined}` : joined;
    if (!this.texts.has(key)) this.texts.set(key, { kind, words: joined });
  }

  addWords(words: readonly string[]): void {
    for (const word of words) if (this.words.size < most.words) this.words.add(word);
  }
}

/** What a record gives to the finder's index; tolerates any shape. */
export function findable(type: ResourceType, record: JsonObject): Findable {
  const { title, status, date, end, subjectName } = summarise(record);
  const subject = { id: subjectId(type, record), name: subjectName };
  const found = new Collector();
  // It begins with what is typed, which no negation does.
  found.add('title', bareTitle(record));
  found.add('title', title);
  found.add('patient', subject.name);
  collect(found, record, '');
  const { texts, words } = found;
  return { ...{ title, status, date, end, subject }, texts: [...texts.values()], words: [...words] };
}

/** The bare id of whom it is about; empty where the record does not say, or holds the subject itself. */
function subjectId(type: ResourceType, record: JsonNode): string {
  const subject = member(record, definitionOf(type).summary.subject);
  const target = parseReference(stringMember(subject, 'reference') ?? '');
  return target && target.base !== '#' ? target.id : '';
}

/** Where texts stand in any resource, by the element's name; `within` is the name of the element around it. */
const readers: Readonly<Record<string, (around: JsonObject, within: string) => TextKind>> = {
  display: (around) => (member(around, 'code') || member(around, 'system') ? 'display' : 'name'),
  text: (_, within) => (within === 'name' ? 'name' : 'display'),
  title: () => 'display',
  description: () => 'display',
  name: () => 'name',
  code: () => 'code',
};

function collect(found: Collector, node: JsonNode, name: string): void {
  if (node.kind === 'array') for (const item of node.items) collect(found, item, name);
  if (node.kind !== 'object') return;
  if (name === 'name') found.add('name', humanName(node));
  for (const { key, value } of node.members) {
    if (value.kind !== 'string') collect(found, value, key);
    else if (key === 'div') found.addWords(wordsOfXhtml(value.value));
    else if (key === 'value' && name === 'identifier') found.add('identifier', value.value);
    else if (Object.hasOwn(readers, key)) {
      const kind = readers[key]?.(node, name);
      if (kind) found.add(kind, value.value);
    }
  }
}
