import { alignElements, type ElementAlignment } from './align.ts';
import type { JsonNode } from './node.ts';
import { locateOffset } from './cursor-location.ts';
import { locate } from './pointer.ts';
import { headOf, resolveNearest, type NearestElement } from './nearest-element.ts';

/** Text and its parsed value. */
export interface ReadText {
  readonly text: string;
  readonly root: JsonNode;
}

/** Position of a cursor after its text was replaced. */
export interface CursorMove {
  readonly offset: number;
  /** True if the element at the cursor was removed. The offset is then the offset of the neighbor. */
  readonly isGone: boolean;
}

/**
 * Returns a function that moves a cursor from one text to its replacement: to the same character of the same
 * element, otherwise to the start of that element, otherwise to the element that took its place.
 */
export function followCursor(before: ReadText, after: ReadText): (offset: number) => CursorMove {
  const alignment = alignElements(before.root, after.root);
  return (offset) => {
    const previousElement = resolveNearest(before.root, locateOffset(before.text, offset).tokens);
    const targetTokens = alignment.toAfter(previousElement.tokens);
    const currentElement = resolveNearest(
      after.root,
      targetTokens ?? neighborOf(previousElement.tokens, before.root, after.root, alignment),
    );
    if (!targetTokens) return { offset: headOf(currentElement).start, isGone: true };
    return {
      offset: sameCharacter(
        offset,
        { ...previousElement, text: before.text },
        { ...currentElement, text: after.text },
      ),
      isGone: false,
    };
  };
}

interface TextElement extends NearestElement {
  readonly text: string;
}

function sameCharacter(offset: number, before: TextElement, after: TextElement): number {
  if (offset >= before.node.end)
    return Math.min(after.node.end + offset - before.node.end, after.text.length);
  const [previousStart, currentStart] = [before, after].map(({ node, key }) =>
    key && offset < before.node.start ? key.start : node.start,
  ) as [number, number];
  const [rangeStart, rangeEnd] = [Math.min(previousStart, offset), Math.max(previousStart, offset)];
  const shift = currentStart - previousStart;
  const isSame =
    before.text.slice(rangeStart, rangeEnd) === after.text.slice(rangeStart + shift, rangeEnd + shift);
  return isSame ? offset + shift : currentStart;
}

/**
 * Returns the path of the element at the position of a removed one: the next item or member, otherwise the
 * last one.
 */
function neighborOf(
  tokens: readonly string[],
  before: JsonNode,
  after: JsonNode,
  { toAfter }: ElementAlignment,
): readonly string[] {
  for (let depth = tokens.length - 1; depth >= 0; depth -= 1) {
    const path = tokens.slice(0, depth);
    const owner = toAfter(path);
    if (!owner) continue;
    const [previousOwner, currentOwner] = [locate(before, path), locate(after, owner)];
    const name = tokens[depth] ?? '';
    if (previousOwner?.kind === 'array') {
      const index = Number(name);
      const itemIndices = previousOwner.items.map((_, item) => item);
      for (const item of [...itemIndices.slice(index + 1), ...itemIndices.slice(0, index).reverse()]) {
        const neighbor = toAfter([...path, String(item)]);
        if (neighbor) return neighbor;
      }
      return owner;
    }
    if (previousOwner?.kind !== 'object' || currentOwner?.kind !== 'object') return owner;
    // A renamed member keeps its position.
    const position = previousOwner.members.findIndex(({ key }) => key === name);
    const neighborMember = currentOwner.members[Math.min(position, currentOwner.members.length - 1)];
    return neighborMember ? [...owner, neighborMember.key] : owner;
  }
  return [];
}
