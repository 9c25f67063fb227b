import type { ReactNode } from 'react';
import type { Target } from '../../../core/fhir/follow.ts';
import type { Issue } from '../../../core/fhir/judgement.ts';

/** What the record's pane tells the view that lays the record out for a reader. */
export interface ReadingSlotProps {
  readonly modelPath: string;
  readonly type: string;
  /** Undefined until the record was read. */
  readonly text: string | undefined;
  readonly issues: readonly Issue[];
  /** JSON Pointer of the element at the editor's cursor. */
  readonly cursor: string;
  /** Counts how often it was to be printed. */
  readonly prints: number;
  /** Shows an element in the JSON where that is in sight; the focus stays. */
  readonly onReveal: (pointer: string) => void;
  readonly onGo: (issue: Issue) => void;
  readonly onFollow: (target: Target) => void;
}

export type ReadingSlot = (props: ReadingSlotProps) => ReactNode;
