import { member, stringMember, type JsonNode, type Span } from '../json/node.ts';
import { tryScan } from '../json/scan.ts';
import { conceptText } from './card/parts.ts';
import { modifiedName, modifiersOf, negationsOf, type Modifier } from './modifiers/modifiers.ts';

/** An element of a record as an outline shows it. */
export interface OutlineEntry extends Span {
  /** `activity[0]`, `status`. */
  readonly name: string;
  /** The content in a few words; blank if that is not enough. */
  readonly detail: string;
  readonly children: readonly OutlineEntry[];
}

const maxLength = 60;

/** Returns the elements of a record's text. Items are named by list and index. A text that is not JSON has none. */
export function outlineOf(text: string): OutlineEntry[] {
  const { root } = tryScan(text);
  return root ? entriesOf(root, stringMember(root, 'resourceType') ?? '') : [];
}

/** `type` is the type of the resource that has these elements; blank below them. */
function entriesOf(node: JsonNode, type = ''): OutlineEntry[] {
  if (node.kind !== 'object') return [];
  return node.members.flatMap(({ key, keySpan: { start }, value }) => {
    if (value.kind !== 'array') return [entryOf(key, start, value, [])];
    return value.items.map((item, index) =>
      entryOf(`${key}[${index}]`, item.start, item, negationsIn(type, key, item)),
    );
  });
}

/** Returns the negations of an item of a resource's list: a contained resource or an activity. */
function negationsIn(type: string, key: string, item: JsonNode): readonly Modifier[] {
  if (type === '') return [];
  if (key !== 'contained') return negationsOf(type, key, item);
  return modifiersOf(item).filter(({ negates }) => negates);
}

function entryOf(name: string, start: number, node: JsonNode, negations: readonly Modifier[]): OutlineEntry {
  // The line of a reference shows everything that its children would repeat.
  const children = stringMember(node, 'reference') === undefined ? entriesOf(node) : [];
  const detail = modifiedName(detailOf(node), negations, name).name;
  return { name, detail: clip(detail), start, end: node.end, children };
}

function detailOf(node: JsonNode): string {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.source;
  if (node.kind === 'boolean') return String(node.value);
  if (node.kind !== 'object') return '';
  const texts = (keys: readonly string[]) => keys.map((key) => stringMember(node, key) ?? '');
  const nested = ['code', 'detail']
    .map((key) => member(node, key))
    .map((value) => (value ? detailOf(value) : ''));
  const candidates = [
    conceptText({ node, pointer: '' }),
    ...texts(['title', 'display']),
    ...nested,
    ...texts(['reference', 'value', 'status', 'url']),
  ];
  return candidates.find((text) => text !== '') ?? '';
}

/** Returns the name of an element in a few words; blank if it has no name. A contained resource names its type. */
export function elementTitle(node: JsonNode): string {
  const type = stringMember(node, 'resourceType') ?? '';
  return clip([type, nameIn(node)].filter(Boolean).join(' '));
}

const nameMembers = ['title', 'display', 'description', 'name', 'reference', 'url', 'id'];

function nameIn(node: JsonNode): string {
  const nested = ['code', 'detail', 'description', 'reference', 'type'].flatMap(
    (key) => member(node, key) ?? [],
  );
  const names = [
    conceptText({ node, pointer: '' }),
    stringMember(node, 'title'),
    ...nested.map((child) => (child.kind === 'object' ? nameIn(child) : '')),
    ...nameMembers.map((key) => stringMember(node, key)),
  ];
  return names.find(Boolean) ?? '';
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
