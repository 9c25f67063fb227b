/**
 * Counts the values that a fix drops, from the printed text only. Independent of the code that decides
 * whether a fix is safe.
 */
import { serializeNode, type JsonObject } from '../../../json/node.ts';
import type { ResourceType } from '../../resource.ts';
import { formatPointer } from '../../../json/pointer.ts';
import { validate } from '../../validation/validate.ts';
import { suggestionsAt, applyFixes, type FixSettings } from '../fixes.ts';

const value = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*|true|false/g;

/** Returns the values of a record in the order of its text, without member names. */
function valuesOf(root: JsonObject): string[] {
  return [...serializeNode(root).matchAll(value)].flatMap(([fullMatch, text, colon]) =>
    colon !== undefined || text === '' ? [] : [fullMatch],
  );
}

/** Returns the values that occur less often after a change. */
export function droppedValues(before: JsonObject, after: JsonObject): readonly string[] {
  const remainingCounts = new Map<string, number>();
  for (const item of valuesOf(after)) remainingCounts.set(item, (remainingCounts.get(item) ?? 0) + 1);
  return valuesOf(before).filter((item) => {
    const count = remainingCounts.get(item) ?? 0;
    remainingCounts.set(item, count - 1);
    return count <= 0;
  });
}

/** Result for a record. `lossy` lists safe fixes that drop more than the corrected value. */
export interface SafetyReport {
  readonly lossy: readonly string[];
  readonly safe: number;
  readonly unsafe: number;
}

/** Tries each fix at each finding of a record, and all safe fixes together. */
export function safetyOf(root: JsonObject, type: ResourceType, settings: FixSettings): SafetyReport {
  const lossy: string[] = [];
  let [safe, unsafe] = [0, 0];
  const findings = new Map(
    validate(root, type, settings).map(({ rule, tokens }) => {
      const pointer = formatPointer(tokens);
      return [`${rule} ${pointer}`, { rule, pointer }];
    }),
  );
  for (const [label, finding] of findings) {
    for (const suggestion of suggestionsAt(root, type, finding, settings)) {
      if (!suggestion.safe) {
        unsafe += 1;
        continue;
      }
      safe += 1;
      const dropped = droppedValues(root, suggestion.fixedRoot);
      const gained = droppedValues(suggestion.fixedRoot, root);
      const isCorrection = dropped.length === 0 || (dropped.length === 1 && gained.length >= 1);
      if (!isCorrection) lossy.push(`${suggestion.id} at ${label}: ${dropped.join()}`);
      if (gained.some((item) => item.startsWith('"<div')) && dropped.length === 0)
        lossy.push(`${suggestion.id} at ${label}: writes a narrative`);
    }
  }
  const result = applyFixes(root, type, 'every', settings);
  if (result) {
    const [before, after] = [valuesOf(root).length, valuesOf(result.root).length];
    if (after < before) lossy.push(`every: ${before} values became ${after}`);
    if (droppedValues(root, result.root).length > result.fixedCount) lossy.push('every: more than it mended');
  }
  return { lossy, safe, unsafe };
}
