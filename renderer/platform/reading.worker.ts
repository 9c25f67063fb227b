import { readingOf } from '../../core/fhir/reading/reading.ts';
import { limits } from '../../core/fhir/limits.ts';
import { JsonSyntaxError } from '../../core/json/fault.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import type { JsonNode } from '../../core/json/node.ts';
import type { Reading } from '../../core/fhir/reading/reading.ts';
import type { ReadingAnswer, ReadingQuestion } from './reading-messages.ts';

/** Sections that are laid out before the others: more than fit into a window. */
const atOnce = 40;

self.addEventListener('message', ({ data }: MessageEvent<ReadingQuestion & { readonly ticket: number }>) => {
  const { ticket, text, today } = data;
  const answer = (reading: Reading | undefined, more: boolean) =>
    self.postMessage({ ticket, more, ...(reading && { reading }) } satisfies ReadingAnswer);
  const record = tryScan(text);
  if (!record) {
    answer(undefined, false);
    return;
  }
  const beginning = readingOf(record, today, atOnce);
  const { sections = [], sectionCount = 0 } = beginning.document ?? {};
  const more = sections.length < sectionCount;
  answer(beginning, more);
  if (more) answer(readingOf(record, today), false);
});

function tryScan(text: string): JsonNode | undefined {
  try {
    const { root } = scan(text, maxDepth, limits.values);
    return root.kind === 'object' ? root : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
