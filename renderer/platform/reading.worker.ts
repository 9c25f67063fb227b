import { readingOf } from '../../core/fhir/reading/reading.ts';
import { limits } from '../../core/fhir/limits.ts';
import { JsonSyntaxError } from '../../core/json/fault.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import type { Reading } from '../../core/fhir/reading/reading.ts';
import type { ReadingAnswer, ReadingQuestion } from './reading-messages.ts';

self.addEventListener('message', ({ data }: MessageEvent<ReadingQuestion & { readonly ticket: number }>) => {
  const { ticket, text, today } = data;
  const reading = tryReading(text, today);
  self.postMessage({ ticket, ...(reading && { reading }) } satisfies ReadingAnswer);
});

function tryReading(text: string, today: string): Reading | undefined {
  try {
    const { root } = scan(text, maxDepth, limits.values);
    return root.kind === 'object' ? readingOf(root, today) : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
