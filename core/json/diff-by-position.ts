import { equal, serializeNode, type JsonNode } from './node.ts';
import { child, formatPointer } from './pointer.ts';

/**
 * A position with different values in two texts. The members are compact JSON text, absent if the position is
 * empty.
 */
export interface PositionChange {
  readonly pointer: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * Returns the positions where `after` differs from `before`, in document order. List items are compared by
 * position, as a JSON Patch of replace operations needs it. Use {@link diff} to describe changes.
 */
export function diffByPosition(before: JsonNode, after: JsonNode): PositionChange[] {
  return [...compare(before, after, [])];
}

function* compare(
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  path: readonly string[],
): Generator<PositionChange> {
  if (before && after && equal(before, after)) return;
  const keys = before && after ? childKeys(before, after) : undefined;
  if (keys) {
    for (const key of keys) {
      yield* compare(before && child(before, key), after && child(after, key), [...path, key]);
    }
    return;
  }
  yield {
    pointer: formatPointer(path),
    ...(before && { before: serializeNode(before) }),
    ...(after && { after: serializeNode(after) }),
  };
}

/** Returns the tokens of the children of two containers of one kind; undefined for other values. */
function childKeys(before: JsonNode, after: JsonNode): Iterable<string> | undefined {
  if (before.kind === 'object' && after.kind === 'object') {
    return new Set([...before.members, ...after.members].map(({ key }) => key));
  }
  if (before.kind === 'array' && after.kind === 'array') {
    return Array.from({ length: Math.max(before.items.length, after.items.length) }, (_, index) =>
      String(index),
    );
  }
  return undefined;
}
