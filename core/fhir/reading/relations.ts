import { referenceAt, referenceWithin, type Contained } from '../card/contained.ts';
import { getChild, listItems, textAt, type CardReference, type NodeAtPointer } from '../card/parts.ts';

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

/** Returns the records that a record is based on, replaces or is part of, and the records in `relatesTo`. */
export function relationsOf(root: NodeAtPointer, contained: Contained): Relation[] {
  const plain = elements.flatMap((kind) =>
    listItems(getChild(root, kind)).flatMap((element) => {
      const to = referenceOrUri(element, contained);
      return to ? [{ kind, to }] : [];
    }),
  );
  const coded = listItems(getChild(root, 'relatesTo')).flatMap((related) => {
    const target = getChild(related, 'targetReference');
    const to = referenceAt(target, contained) ?? referenceAt(identifierAsReference(related), contained);
    if (!to) return [];
    return [
      {
        kind: textAt(getChild(related, 'code')),
        to: referenceWithin(related, { ...to, pointer: related.pointer }),
      },
    ];
  });
  return [...coded, ...plain];
}

function referenceOrUri(element: NodeAtPointer, contained: Contained): CardReference | undefined {
  const uri = textAt(element);
  return uri === ''
    ? referenceAt(element, contained)
    : { reference: uri, display: '', pointer: element.pointer };
}

/** Wraps an identifier. Its value names a reference without a literal. */
function identifierAsReference(element: NodeAtPointer): NodeAtPointer {
  const { node, pointer } = getChild(element, 'targetIdentifier');
  if (!node) return { node, pointer };
  const key = { key: 'identifier', keySource: '"identifier"', keySpan: node, value: node };
  return { node: { kind: 'object', members: [key], start: node.start, end: node.end }, pointer };
}
