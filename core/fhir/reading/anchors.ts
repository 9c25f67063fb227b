import { formatPointer, parsePointer } from '../../json/pointer.ts';
import type { ReadableRecord } from './reading.ts';

/** Elements that a reading shows separately, by JSON Pointer, with the block whose margin shows their findings. */
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
}: ReadableRecord): Anchors {
  const anchors = new Map<string, string>([
    ['', ''],
    ['/title', ''],
    ['/description', ''],
  ]);
  const add = (blocks: readonly Pointed[]) => blocks.forEach(({ pointer }) => anchors.set(pointer, pointer));
  const addToBlock = (block: string, elements: readonly (Pointed | undefined)[]) =>
    elements.forEach((element) => element && anchors.set(element.pointer, block));
  add([...facts, ...relations.map(({ to }) => to), ...notes, ...contributors]);
  if (narrative) add([narrative]);
  if (document) {
    add([...document.attesters, ...document.events]);
    for (const { pointer, narrative: text, entries } of document.sections) {
      anchors.set(pointer, pointer);
      addToBlock(pointer, [text, ...entries]);
    }
  }
  if (plan) {
    add([...plan.activities, ...plan.goals.map(({ goal }) => goal)]);
    add([...plan.addresses, ...plan.team]);
  }
  return anchors;
}

/** Returns the nearest anchor at or above an element; the record if there is none. */
export function anchorAt(anchors: Anchors, pointer: string): string {
  const tokens = parsePointer(pointer) ?? [];
  while (tokens.length > 0 && !anchors.has(formatPointer(tokens))) tokens.pop();
  return formatPointer(tokens);
}

/** Groups findings by the block whose margin shows them. */
export function byBlock<Found extends { readonly pointer?: string }>(
  anchors: Anchors,
  findings: readonly Found[],
): ReadonlyMap<string, readonly Found[]> {
  return Map.groupBy(findings, ({ pointer }) => anchors.get(anchorAt(anchors, pointer ?? '')) ?? '');
}
