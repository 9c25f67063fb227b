import type { ReactNode } from 'react';
import { ModifiedName } from '../ui/modified-name.tsx';
import { useReferenceName } from './reference-names.ts';

interface ReferredNameProps {
  /** Name from the record; blank if it has none. */
  readonly title: string;
  readonly before?: string | undefined;
  /** Literal reference to the related resource; blank if there is none. */
  readonly reference: string;
  /** Shown if neither the record nor the related resource has a name. */
  readonly fallback: string;
}

/** Name of a part of a record that a related resource may describe, with the modifiers of both. */
export function ReferredName({ title, before, reference, fallback }: ReferredNameProps): ReactNode {
  const writtenReference = {
    reference,
    display: title,
    ...(before !== undefined && { before }),
    pointer: '',
  };
  const namedReference = useReferenceName(writtenReference);
  return (
    <ModifiedName
      name={namedReference.display === '' ? fallback : namedReference.display}
      before={namedReference.before}
    />
  );
}
