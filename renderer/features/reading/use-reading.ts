import { replaceEqualDeep } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { Reading } from '../../../core/fhir/reading/reading.ts';
import { askReading } from '../../platform/reading.ts';
import { localDay } from '../../ui/time.ts';

/** Delay in milliseconds after the last key, long enough not to disturb a fast typist. */
const debounceMs = 150;
/** Length of a text whose layout takes longer than loading the editor. */
const longTextLength = 500_000;

/** Layout of a record for readers. `reading` belongs to the last valid text. */
export interface ReadingLayout {
  readonly modelPath: string;
  readonly reading: Reading | undefined;
  /** Present if the current text is not a JSON object, with the line of its first error if it is not JSON. */
  readonly jsonProblem: { readonly line: number | undefined } | undefined;
}

/**
 * Returns the layout of the active record; undefined until the first one is ready. Requests nothing without a text.
 */
export function useReading(modelPath: string, text: string | undefined): ReadingLayout | undefined {
  const [layout, setLayout] = useState<ReadingLayout>();
  const current = layout?.modelPath === modelPath ? layout : undefined;
  const isOpening = current === undefined;
  // A long text is laid out at once, while the editor, which loads later, uses the main thread.
  useLayoutEffect(() => {
    if (text === undefined) return undefined;
    let cancel: (() => void) | undefined;
    const requestReading = () => {
      cancel = askReading({ text, today: localDay() }, ({ reading, line }) =>
        setLayout((previous) => {
          const lastReading = previous?.modelPath === modelPath ? previous.reading : undefined;
          // Equal parts keep their identity and are not rendered again.
          return {
            modelPath,
            reading: reading ? replaceEqualDeep(lastReading, reading) : lastReading,
            jsonProblem: reading ? undefined : { line },
          };
        }),
      );
    };
    const isUrgent = isOpening && text.length > longTextLength;
    if (isUrgent) requestReading();
    const timer = isUrgent ? undefined : setTimeout(requestReading, isOpening ? 0 : debounceMs);
    return () => {
      clearTimeout(timer);
      cancel?.();
    };
  }, [modelPath, text, isOpening]);
  return current;
}
