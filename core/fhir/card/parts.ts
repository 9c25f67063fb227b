import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { displayOf } from '../terminology/displays.ts';

export interface CardText {
  readonly text: string;
  readonly pointer: string;
}

export interface CardReference {
  /** The literal reference; empty if there is only a display or an identifier. */
  readonly reference: string;
  readonly display: string;
  /** Negating words at the beginning of the display. */
  readonly negation?: string;
  readonly pointer: string;
}

export interface NodeAtPointer {
  readonly node: JsonNode | undefined;
  readonly pointer: string;
}

/** Returns a descendant by member names, whether it exists or not. FHIR names need no escaping in a pointer. */
export function getChild({ node, pointer }: NodeAtPointer, ...names: readonly string[]): NodeAtPointer {
  let place = node;
  let path = pointer;
  for (const name of names) {
    place = member(place, name);
    path += `/${name}`;
  }
  return { node: place, pointer: path };
}

/** Returns the items of a list. A single object instead of a list counts as one item. */
export function listItems(list: NodeAtPointer): NodeAtPointer[] {
  const { node, pointer } = list;
  if (node?.kind === 'object') return [list];
  return items(node).map((item, index) => ({ node: item, pointer: `${pointer}/${index}` }));
}

/** Returns the text of a string; empty for other nodes. */
export function textAt({ node }: NodeAtPointer): string {
  return node?.kind === 'string' ? node.value : '';
}

/** Returns the name of a CodeableConcept: text, display or code (FHIR R4 datatypes.html#CodeableConcept). */
export function conceptText({ node }: NodeAtPointer): string {
  const codings = items(member(node, 'coding'));
  const code = codings.map((coding) => stringMember(coding, 'code')).find(Boolean);
  return stringMember(node, 'text') ?? displayOf(codings) ?? code ?? '';
}

/** Returns the concepts of a list, except those without a name. */
export function conceptsAt(list: NodeAtPointer): CardText[] {
  return listItems(list)
    .map((concept) => ({ text: conceptText(concept), pointer: concept.pointer }))
    .filter(({ text }) => text !== '');
}
