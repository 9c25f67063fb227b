import { alignElements, type ElementAlignment } from './align.ts';
import type { JsonNode } from './node.ts';
import { placeAt } from './place.ts';
import { locate } from './pointer.ts';
import { headOf, reach, type Reached } from './reach.ts';

/** A text and the value that was read from it. */
export interface ReadText {
  readonly text: string;
  readonly root: JsonNode;
}

/** The place of a cursor after another text took the place of the one that it stood in. */
export interface CursorMove {
  readonly offset: number;
  /** True if the element at the cursor is gone: the offset is that of its neighbor. */
  readonly isGone: boolean;
}

/**
 * Returns a function that moves a cursor from one text to the text that takes its place: to the same character of the
 * same element, else to the beginning of that element, else to the element that took its place.
 */
export function followCursor(before: ReadText, after: ReadText): (offset: number) => CursorMove {
  const alignment = alignElements(before.root, after.root);
  return (offset) => {
    const was = reach(before.root, placeAt(before.text, offset).tokens);
    const same = alignment.toAfter(was.tokens);
    const is = reach(after.root, same ?? neighborOf(was.tokens, before.root, after.root, alignment));
    if (!same) return { offset: headOf(is).start, isGone: true };
    return {
      offset: sameCharacter(offset, { ...was, text: before.text }, { ...is, text: after.text }),
      isGone: false,
    };
  };
}

interface TextElement extends Reached {
  readonly text: string;
}

function sameCharacter(offset: number, before: TextElement, after: TextElement): number {
  if (offset >= before.node.end)
    return Math.min(after.node.end + offset - before.node.end, after.text.length);
  const [from, to] = [before, after].map(({ node, key }) =>
    key && offset < before.node.start ? key.start : node.start,
  ) as [number, number];
  const [first, last] = [Math.min(from, offset), Math.max(from, offset)];
  const moved = to - from;
  const isSame = before.text.slice(first, last) === after.text.slice(first + moved, last + moved);
  return isSame ? offset + moved : to;
}

/** Returns the path of the element that stands where a removed one stood: the next item or member, else the last one. */
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
    const [was, is] = [locate(before, path), locate(after, owner)];
    const name = tokens[depth] ?? '';
    if (was?.kind === 'array') {
      const index = Number(name);
      const others = was.items.map((_, item) => item);
      for (const item of [...others.slice(index + 1), ...others.slice(0, index).reverse()]) {
        const neighbor = toAfter([...path, String(item)]);
        if (neighbor) return neighbor;
      }
      return owner;
    }
    if (was?.kind !== 'object' || is?.kind !== 'object') return owner;
    // A renamed member keeps its position.
    const position = was.members.findIndex(({ key }) => key === name);
    const near = is.members[Math.min(position, is.members.length - 1)];
    return near ? [...owner, near.key] : owner;
  }
  return [];
}
