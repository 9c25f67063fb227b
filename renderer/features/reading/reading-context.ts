/**
 * features/reading shows an open record as a person reads it: a document as a document, a plan as a plan. The app mounts
 * it in the record's pane and hands in text, findings and the cursor's place. Invariant: it changes nothing; what foreign
 * markup there is stands in the one frame of narrative-sheet.ts.
 */
import { createContext, use } from 'react';
import type { Target } from '../../../core/fhir/follow.ts';
import type { Issue } from '../../../core/fhir/judgement.ts';
import type { ReadingSlotProps } from '../../platform/reading-slot.ts';
import type { NarrativeSheet } from './narrative-sheet.ts';

/** A reference whose resource is to be shown in a card. */
export interface CardAsked {
  readonly reference: string;
  /** What the record calls it; blank where it does not. */
  readonly display: string;
  /** Records that refer to the same; absent where no parameter finds them. */
  readonly target: Target | undefined;
}

interface ReadingParts extends Pick<ReadingSlotProps, 'type' | 'onFollow' | 'onGo'> {
  /** Goes to an element in the JSON. */
  readonly onShowJson: (pointer: string) => void;
  readonly onCard: (asked: CardAsked) => void;
  readonly sheet: NarrativeSheet | undefined;
  /** All is drawn, whatever is in sight: it is about to be printed. */
  readonly printing: boolean;
  /** What was found, by the pointer of the block in whose margin it is shown. */
  readonly found: ReadonlyMap<string, readonly Issue[]>;
}

export const ReadingContext = createContext<ReadingParts>({
  type: '',
  onFollow: () => undefined,
  onGo: () => undefined,
  onShowJson: () => undefined,
  onCard: () => undefined,
  sheet: undefined,
  printing: false,
  found: new Map(),
});

export function useReadingParts(): ReadingParts {
  return use(ReadingContext);
}
