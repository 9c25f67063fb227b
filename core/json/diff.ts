import { equal } from './equal.ts';
import type { JsonNode } from './node.ts';
import { child, formatPointer } from './pointer.ts';
import { print } from './print.ts';

/** One place where two texts differ; `before` and `after` are compact JSON text, absent where nothing stood. */
export interface Change {
  readonly pointer: string;
  readonly before?: string;
  readonly after?: string;
}

/** The smallest set of places where `after` differs from `before`, in document order; array items pair by index. */
export function diff(before: JsonNode, after: JsonNode): Change[] {
  return [...differences(before, after, [])];
}

function* differences(
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  path: readonly string[],
): Generator<Change> {
  if (before && after && equal(before, after)) return;
  const keys = before && after ? childKeys(before, after) : undefined;
  if (keys) {
    for (const key of keys) {
      yield* differences(before && child(before, key), after && child(after, key), [...path, key]);
    }
    return;
  }
  yield {
    pointer: formatPointer(path),
    ...(before && { before: print(before) }),
    ...(after && { after: print(after) }),
  };
}

/** The tokens under which two containers of one kind can differ; undefined where the whole value is replaced. */
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
