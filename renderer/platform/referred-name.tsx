import type { ReactNode } from 'react';
import { ModifiedName } from '../ui/modified-name.tsx';
import { useReferenceName } from './reference-names.ts';

interface ReferredNameProps {
  /** Name from the record; blank if it has none. */
  readonly title: string;
  readonly negation?: string | undefined;
  /** Literal reference to the related resource; blank if there is none. */
  readonly reference: string;
  /** Shown if neither the record nor the related resource has a name. */
  readonly fallback: string;
}

/** Name of a part of a record that a related resource may describe, with the modifiers of both. */
export function ReferredName({ title, negation, reference, fallback }: ReferredNameProps): ReactNode {
  const writtenReference = {
    reference,
    display: title,
    ...(negation !== undefined && { negation }),
    pointer: '',
  };
  const namedReference = useReferenceName(writtenReference);
  return (
    <ModifiedName
      name={namedReference.display === '' ? fallback : namedReference.display}
      negation={namedReference.negation}
    />
  );
}
