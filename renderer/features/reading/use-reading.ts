import { replaceEqualDeep } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { ReadableRecord } from '../../../core/fhir/reading/reading.ts';
import { requestReading } from '../../platform/reading.ts';
import { localDay } from '../../ui/time.ts';

/** Delay in milliseconds after the last keystroke, long enough not to disturb a fast typist. */
const debounceMs = 150;
/** Length above which preparing a text takes longer than loading the editor. Such a text is requested at once. */
const longTextLength = 500_000;

/** A record prepared for reading. `reading` shows the last text that was valid JSON. */
export interface ReadingState {
  readonly recordPath: string;
  readonly reading: ReadableRecord | undefined;
  /** Present if the current text is not a JSON object, with the line of its first error if it is not JSON. */
  readonly jsonProblem: { readonly line: number | undefined } | undefined;
}

/**
 * Returns the reading of the active record; undefined until the first one is ready. Does nothing if `text` is
 * undefined.
 */
export function useReading(modelPath: string, text: string | undefined): ReadingState | undefined {
  const [state, setState] = useState<ReadingState>();
  const currentState = state?.recordPath === modelPath ? state : undefined;
  const isOpening = currentState === undefined;
  // Requests a long text without delay: a worker prepares it while the editor loads on the main thread.
  useLayoutEffect(() => {
    if (text === undefined) return undefined;
    let cancel: (() => void) | undefined;
    const request = () => {
      cancel = requestReading({ text, today: localDay() }, ({ reading, line }) =>
        setState((previous) => {
          const lastReading = previous?.recordPath === modelPath ? previous.reading : undefined;
          // Equal parts keep their identity and are not rendered again.
          return {
            recordPath: modelPath,
            reading: reading ? replaceEqualDeep(lastReading, reading) : lastReading,
            jsonProblem: reading ? undefined : { line },
          };
        }),
      );
    };
    const isUrgent = isOpening && text.length > longTextLength;
    if (isUrgent) request();
    const timer = isUrgent ? undefined : setTimeout(request, isOpening ? 0 : debounceMs);
    return () => {
      clearTimeout(timer);
      cancel?.();
    };
  }, [modelPath, text, isOpening]);
  return currentState;
}
