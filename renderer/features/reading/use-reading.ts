import { replaceEqualDeep } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { Reading } from '../../../core/fhir/reading/reading.ts';
import { askReading } from '../../platform/reading.ts';
import { localDay } from '../../ui/time.ts';

/** Milliseconds after the last key; long enough to stay out of a fast typist's way. */
const debounce = 150;
/** Characters of a text that takes longer to lay out than the editor takes to be there. */
const long = 500_000;

/** A record laid out for a reader; `reading` is that of the last text that was JSON. */
export interface Laid {
  readonly modelPath: string;
  readonly reading: Reading | undefined;
  /** Whether the text of now is no JSON. */
  readonly unread: boolean;
}

/** The record in front laid out; undefined until it was for the first time. Without a text nothing is asked. */
export function useReading(modelPath: string, text: string | undefined): Laid | undefined {
  const [laid, setLaid] = useState<Laid>();
  const current = laid?.modelPath === modelPath ? laid : undefined;
  const opening = current === undefined;
  // A long one is laid out while the editor, which comes after this, takes the page's thread.
  useLayoutEffect(() => {
    if (text === undefined) return undefined;
    let lose: (() => void) | undefined;
    const ask = () => {
      lose = askReading({ text, today: localDay() }, (reading) =>
        setLaid((before) => {
          const last = before?.modelPath === modelPath ? before.reading : undefined;
          // What is read there already stays the same, and is not drawn anew.
          return {
            modelPath,
            reading: reading ? replaceEqualDeep(last, reading) : last,
            unread: reading === undefined,
          };
        }),
      );
    };
    const ahead = opening && text.length > long;
    if (ahead) ask();
    const timer = ahead ? undefined : setTimeout(ask, opening ? 0 : debounce);
    return () => {
      clearTimeout(timer);
      lose?.();
    };
  }, [modelPath, text, opening]);
  return current;
}
