import type { ReactNode } from 'react';
import { ModifiedName } from '../ui/modified-name.tsx';
import { useReferenceName } from './reference-names.ts';

interface ReferredNameProps {
  /** As core names it; blank where the record says nothing. */
  readonly title: string;
  readonly before?: string | undefined;
  /** The literal reference to what describes it; blank where there is none. */
  readonly reference: string;
  /** Stands there where neither the record nor the related resource has a name. */
  readonly fallback: string;
}

/** The name of a part of a record that a related resource may describe, with what changes the meaning of either. */
export function ReferredName({ title, before, reference, fallback }: ReferredNameProps): ReactNode {
  const written = { reference, display: title, ...(before !== undefined && { before }), pointer: '' };
  const shown = useReferenceName(written);
  return <ModifiedName name={shown.display === '' ? fallback : shown.display} before={shown.before} />;
}
