import { referenceAt, referenceWithin, type Contained } from '../card/contained.ts';
import { below, each, textAt, type CardReference, type Place } from '../card/parts.ts';

/** How the record stands to another one. */
export interface Relation {
  /** The record's own word: `replaces`, `appends`, `basedOn` ... */
  readonly kind: string;
  readonly to: CardReference;
}

/** Elements that name other records of the same course. */
const elements = [
  'basedOn',
  'replaces',
  'partOf',
  'supportingInfo',
  'instantiatesCanonical',
  'instantiatesUri',
];

/** What the record is based on, replaces, is part of or follows; and `relatesTo`, whose code says what it is. */
export function relationsOf(root: Place, contained: Contained): Relation[] {
  const plain = elements.flatMap((kind) =>
    each(below(root, kind)).flatMap((one) => {
      const to = referenceOrUri(one, contained);
      return to ? [{ kind, to }] : [];
    }),
  );
  const coded = each(below(root, 'relatesTo')).flatMap((one) => {
    const target = below(one, 'targetReference');
    const to = referenceAt(target, contained) ?? referenceAt(identifierAsReference(one), contained);
    if (!to) return [];
    return [{ kind: textAt(below(one, 'code')), to: referenceWithin(one, { ...to, pointer: one.pointer }) }];
  });
  return [...coded, ...plain];
}

function referenceOrUri(place: Place, contained: Contained): CardReference | undefined {
  const uri = textAt(place);
  return uri === '' ? referenceAt(place, contained) : { reference: uri, display: '', pointer: place.pointer };
}

/** An identifier's value is what a reference without a literal is called by. */
function identifierAsReference(place: Place): Place {
  const { node, pointer } = below(place, 'targetIdentifier');
  if (!node) return { node, pointer };
  const key = { key: 'identifier', keySource: '"identifier"', keySpan: node, value: node };
  return { node: { kind: 'object', members: [key], start: node.start, end: node.end }, pointer };
}
