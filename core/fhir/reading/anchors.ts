import { formatPointer, parsePointer } from '../../json/pointer.ts';
import type { Reading } from './reading.ts';

/**
 * The elements that a reading shows on their own, by JSON Pointer, each with the block in whose margin stands what was
 * found of it.
 */
export type Anchors = ReadonlyMap<string, string>;

interface Pointed {
  readonly pointer: string;
}

export function anchorsOf({
  facts,
  relations,
  notes,
  contributors,
  narrative,
  document,
  plan,
}: Reading): Anchors {
  const anchors = new Map<string, string>([
    ['', ''],
    ['/title', ''],
    ['/description', ''],
  ]);
  const add = (blocks: readonly Pointed[]) => blocks.forEach(({ pointer }) => anchors.set(pointer, pointer));
  const within = (block: string, all: readonly (Pointed | undefined)[]) =>
    all.forEach((one) => one && anchors.set(one.pointer, block));
  add([...facts, ...relations.map(({ to }) => to), ...notes, ...contributors]);
  if (narrative) add([narrative]);
  if (document) {
    add([...document.attesters, ...document.events]);
    for (const { pointer, narrative: text, entries } of document.sections) {
      anchors.set(pointer, pointer);
      within(pointer, [text, ...entries]);
    }
  }
  if (plan) {
    add([...plan.activities, ...plan.goals.map(({ goal }) => goal)]);
    add([...plan.addresses, ...plan.team]);
  }
  return anchors;
}

/** The nearest anchor at or above an element; the record itself where there is none. */
export function anchorAt(anchors: Anchors, pointer: string): string {
  const tokens = parsePointer(pointer) ?? [];
  while (tokens.length > 0 && !anchors.has(formatPointer(tokens))) tokens.pop();
  return formatPointer(tokens);
}

/** What was found, by the block in whose margin it stands. */
export function byBlock<Found extends { readonly pointer?: string }>(
  anchors: Anchors,
  found: readonly Found[],
): ReadonlyMap<string, readonly Found[]> {
  return Map.groupBy(found, ({ pointer }) => anchors.get(anchorAt(anchors, pointer ?? '')) ?? '');
}
