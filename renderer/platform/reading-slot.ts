import type { ReactNode } from 'react';
import type { Target } from '../../core/fhir/follow.ts';
import type { Issue } from '../../core/fhir/judgement.ts';

/**
 * What the record's pane tells the view that lays the record out for a reader; either is a feature of its own. Its
 * functions stay the same from draw to draw.
 */
export interface ReadingSlotProps {
  readonly modelPath: string;
  /** The type of the record, by which its references are followed. */
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
  /** Shows the element of a finding in the JSON. */
  readonly onGo: (issue: Issue) => void;
  readonly onFollow: (target: Target) => void;
}

export type ReadingSlot = (props: ReadingSlotProps) => ReactNode;
