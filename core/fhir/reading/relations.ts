import { referenceAt, referenceWithin, type Contained } from '../card/contained.ts';
import { below, each, textAt, type CardReference, type Place } from '../card/parts.ts';

/** A relation of the record to another one. */
export interface Relation {
  /** The record's word: `replaces`, `appends`, `basedOn` ... */
  readonly kind: string;
  readonly to: CardReference;
}

/** Elements that refer to other records. */
const elements = [
  'basedOn',
  'replaces',
  'partOf',
  'supportingInfo',
  'instantiatesCanonical',
  'instantiatesUri',
];

/** Returns the records that this one is based on, replaces or is part of, and those in `relatesTo`. */
export function relationsOf(root: Place, contained: Contained): Relation[] {
  const plain = elements.flatMap((kind) =>
    each(below(root, kind)).flatMap((element) => {
      const to = referenceOrUri(element, contained);
      return to ? [{ kind, to }] : [];
    }),
  );
  const coded = each(below(root, 'relatesTo')).flatMap((related) => {
    const target = below(related, 'targetReference');
    const to = referenceAt(target, contained) ?? referenceAt(identifierAsReference(related), contained);
    if (!to) return [];
    return [
      {
        kind: textAt(below(related, 'code')),
        to: referenceWithin(related, { ...to, pointer: related.pointer }),
      },
    ];
  });
  return [...coded, ...plain];
}

function referenceOrUri(element: Place, contained: Contained): CardReference | undefined {
  const uri = textAt(element);
  return uri === ''
    ? referenceAt(element, contained)
    : { reference: uri, display: '', pointer: element.pointer };
}

/** Wraps an identifier. Its value names a reference without a literal. */
function identifierAsReference(element: Place): Place {
  const { node, pointer } = below(element, 'targetIdentifier');
  if (!node) return { node, pointer };
  const key = { key: 'identifier', keySource: '"identifier"', keySpan: node, value: node };
  return { node: { kind: 'object', members: [key], start: node.start, end: node.end }, pointer };
}
