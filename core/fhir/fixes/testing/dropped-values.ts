/** Counts the values that a fix drops, by the printed text alone: independent of the code that calls a fix safe. */
import { print } from '../../../json/print.ts';
import type { JsonObject } from '../../../json/node.ts';
import type { ResourceType } from '../../resource.ts';
import { formatPointer } from '../../../json/pointer.ts';
import { validate } from '../../validation/validate.ts';
import { fixesAt, mendAll, type FixSettings } from '../fixes.ts';

const value = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*|true|false/g;

/** The values of a record in the order of their text; a member's name is none. */
function valuesOf(root: JsonObject): string[] {
  return [...print(root).matchAll(value)].flatMap(([whole, text, colon]) =>
    colon !== undefined || text === '' ? [] : [whole],
  );
}

/** Returns the values of which the record has fewer after a change. */
export function droppedValues(before: JsonObject, after: JsonObject): readonly string[] {
  const left = new Map<string, number>();
  for (const one of valuesOf(after)) left.set(one, (left.get(one) ?? 0) + 1);
  return valuesOf(before).filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

/** What is said of a record: each fix that is called safe and drops more than the one value that it corrects. */
export interface SafetyReport {
  readonly lossy: readonly string[];
  readonly safe: number;
  readonly unsafe: number;
}

/** Tries every fix at every finding of a record, and all safe ones together. */
export function safetyOf(root: JsonObject, type: ResourceType, settings: FixSettings): SafetyReport {
  const lossy: string[] = [];
  let [safe, unsafe] = [0, 0];
  const places = new Map(
    validate(root, type, settings).map(({ rule, tokens }) => {
      const pointer = formatPointer(tokens);
      return [`${rule} ${pointer}`, { rule, pointer }];
    }),
  );
  for (const [place, at] of places) {
    for (const offer of fixesAt(root, type, at, settings)) {
      if (!offer.safe) {
        unsafe += 1;
        continue;
      }
      safe += 1;
      const dropped = droppedValues(root, offer.root);
      const gained = droppedValues(offer.root, root);
      const isCorrection = dropped.length === 0 || (dropped.length === 1 && gained.length >= 1);
      if (!isCorrection) lossy.push(`${offer.id} at ${place}: ${dropped.join()}`);
      if (gained.some((one) => one.startsWith('"<div')) && dropped.length === 0)
        lossy.push(`${offer.id} at ${place}: writes a narrative`);
    }
  }
  const every = mendAll(root, type, 'every', settings);
  if (every) {
    const [before, after] = [valuesOf(root).length, valuesOf(every.root).length];
    if (after < before) lossy.push(`every: ${before} values became ${after}`);
    if (droppedValues(root, every.root).length > every.mended) lossy.push('every: more than it mended');
  }
  return { lossy, safe, unsafe };
}
