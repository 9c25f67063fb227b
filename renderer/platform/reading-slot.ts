import type { ReactNode } from 'react';
import type { Target } from '../../core/fhir/follow.ts';
import type { Issue } from '../../core/fhir/text-validation.ts';

/**
 * Props that the record pane passes to the reading view, which is a feature of its own. The functions are
 * stable.
 */
export interface ReadingSlotProps {
  readonly modelPath: string;
  /** Type of the record, which resolves its references. */
  readonly type: string;
  /** Undefined until the record was read. */
  readonly text: string | undefined;
  readonly issues: readonly Issue[];
  /** JSON Pointer of the element at the editor's cursor. */
  readonly cursor: string;
  /** Counter that triggers a print. */
  readonly prints: number;
  /** Shows an element in the JSON if that is visible, without moving the focus. */
  readonly onReveal: (pointer: string) => void;
  /** Shows the element of a finding in the JSON. */
  readonly onGo: (issue: Issue) => void;
  readonly onFollow: (target: Target) => void;
}

export type ReadingSlot = (props: ReadingSlotProps) => ReactNode;
