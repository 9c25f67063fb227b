import { items, member, stringMember, type JsonNode } from '../../json/node.ts';

/** Something said about a record, and where it stands. */
export interface CardText {
  readonly text: string;
  readonly pointer: string;
}

/** A reference, and the text that goes with it. */
export interface CardReference {
  /** The literal reference; blank where there is only a display or an identifier. */
  readonly reference: string;
  readonly display: string;
  /** The words at the head of the display that negate it; absent where none do. */
  readonly before?: string;
  readonly pointer: string;
}

/** A node, and the JSON Pointer of where it stands. */
export interface Place {
  readonly node: JsonNode | undefined;
  readonly pointer: string;
}

/** The place of a member, whether it is there or not; by names of FHIR's, in which no character is escaped. */
export function below({ node, pointer }: Place, ...names: readonly string[]): Place {
  let place = node;
  let path = pointer;
  for (const name of names) {
    place = member(place, name);
    path += `/${name}`;
  }
  return { node: place, pointer: path };
}

/** The places of an array's items; a single value that should be an array counts as one item of it. */
export function each(place: Place): Place[] {
  const { node, pointer } = place;
  if (node?.kind === 'object') return [place];
  return items(node).map((item, index) => ({ node: item, pointer: `${pointer}/${index}` }));
}

/** The text of a string; blank where the place holds none. */
export function textAt({ node }: Place): string {
  return node?.kind === 'string' ? node.value : '';
}

/** What a CodeableConcept (FHIR R4 datatypes.html#CodeableConcept) is called: its text, else a display, else a code. */
export function conceptText({ node }: Place): string {
  const codings = items(member(node, 'coding'));
  const first = (key: string) => codings.map((coding) => stringMember(coding, key)).find(Boolean);
  return stringMember(node, 'text') ?? first('display') ?? first('code') ?? '';
}

/** The concepts of an array, those without a name left out. */
export function conceptsAt(place: Place): CardText[] {
  return each(place)
    .map((one) => ({ text: conceptText(one), pointer: one.pointer }))
    .filter(({ text }) => text !== '');
}
