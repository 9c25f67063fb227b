import type { ReactNode } from 'react';
import { parseReference } from '../../core/fhir/reference.ts';
import { ModifiedName } from '../ui/modified-name.tsx';
import { useReferenceName } from './reference-names.ts';

/** True for a literal that leads to another resource: `Patient/x`, `https://host/Patient/x` or `urn:uuid:x`. */
function isLiteralReference(text: string): boolean {
  const { type = '', base } = parseReference(text) ?? {};
  return base !== '#' && (/^[A-Z]\w*$/.test(type) || /^urn:(?:uuid|oid):\S+$/.test(text));
}

/** Text of a record. A literal reference is shown as the name of its resource, if there is one. */
export function LiteralName({ words }: { readonly words: string }): ReactNode {
  return isLiteralReference(words) ? <ReferredLiteral reference={words} /> : words;
}

function ReferredLiteral({ reference }: { readonly reference: string }): ReactNode {
  const { display, negation } = useReferenceName({ reference, display: '', pointer: '' });
  return <ModifiedName name={display === '' ? reference : display} negation={negation} />;
}

/** Names and literal references that are separated by commas. */
export function LiteralNames({ words }: { readonly words: string }): ReactNode {
  return words.split(', ').map((part, index) => (
    // The parts of a text keep their order.
    <span key={index}>
      {index > 0 && ', '}
      <LiteralName words={part} />
    </span>
  ));
}
