/**
 * features/reading shows an open record to readers: a Composition as a document, a CarePlan as a plan. The app mounts
 * it in the record pane and passes text, findings and cursor. Invariant: it changes nothing, and foreign markup
 * appears only in the frame of narrative-sheet.ts.
 */
import { createContext, use } from 'react';
import type { Target } from '../../../core/fhir/follow.ts';
import type { Issue } from '../../../core/fhir/text-validation.ts';
import type { ReadingSlotProps } from '../../platform/reading-slot.ts';
import type { NarrativeSheet } from './narrative-sheet.ts';

/** A reference whose resource is shown in a card. */
export interface CardRequest {
  readonly reference: string;
  /** Display name in the record; empty if there is none. */
  readonly display: string;
  /** Search for records with the same reference; undefined if no parameter supports it. */
  readonly target: Target | undefined;
}

interface ReadingContextValue extends Pick<ReadingSlotProps, 'type' | 'onFollow' | 'onGo'> {
  /** Reveals an element in the JSON. */
  readonly onShowJson: (pointer: string) => void;
  readonly onCard: (request: CardRequest) => void;
  readonly sheet: NarrativeSheet | undefined;
  /** True while printing. Everything is then rendered, regardless of the scroll position. */
  readonly isPrinting: boolean;
  /** Issues by the pointer of the block that shows them in its margin. */
  readonly issuesByBlock: ReadonlyMap<string, readonly Issue[]>;
}

export const ReadingContext = createContext<ReadingContextValue>({
  type: '',
  onFollow: () => undefined,
  onGo: () => undefined,
  onShowJson: () => undefined,
  onCard: () => undefined,
  sheet: undefined,
  isPrinting: false,
  issuesByBlock: new Map(),
});

/** Returns the context of the reading view. */
export function useReadingContext(): ReadingContextValue {
  return use(ReadingContext);
}
