import { ElementAligner, type ElementPair, type ListAlignment } from './align.ts';
import { items, member, serializeNode, type JsonNode } from './node.ts';
import { formatPointer } from './pointer.ts';
import { risingPairs } from './rising.ts';

/**
 * One changed element. `before` and `after` are its compact JSON text.
 *
 * | Kind | `pointer` | `from` | `before` | `after` | `isMoved` |
 * |---|---|---|---|---|---|
 * | added | in the version after | | | text | |
 * | removed | in the version before | | text | | |
 * | changed | in the version after | in the version before, if it differs | text | text | |
 * | moved | in the version after | in the version before | text | text | true |
 */
export interface ElementChange {
  readonly pointer: string;
  /** Pointer in the version before, if the element was moved or if items before it came or went. */
  readonly from?: string;
  readonly before?: string;
  readonly after?: string;
  /** True if the item has a new position among its neighbors. Changes inside it are separate. */
  readonly isMoved?: true;
}

/**
 * Returns the smallest changes from `before` to `after`, in document order. Elements are paired by their identity (see
 * {@link alignElements}): a removed, inserted or moved item is one change, and its neighbors have none.
 */
export function listChanges(before: JsonNode, after: JsonNode): ElementChange[] {
  return [...new Comparison().compare({ before, after }, { before: [], after: [] })];
}

interface Paths {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

class Comparison {
  private readonly aligner = new ElementAligner();

  *compare(pair: ElementPair, paths: Paths): Generator<ElementChange> {
    const { before, after } = pair;
    if (this.isEqual(pair)) return;
    if (before.kind === 'object' && after.kind === 'object') {
      const keys = new Set([...before.members, ...after.members].map(({ key }) => key));
      for (const key of keys) yield* this.compareMember(pair, key, paths);
      return;
    }
    const list = this.aligner.alignList(pair);
    if (list) yield* this.compareItems(pair, list, paths);
    else yield changeOf(pair, paths);
  }

  private isEqual({ before, after }: ElementPair): boolean {
    return this.aligner.ids.areEqual(before, after);
  }

  private *compareMember(owner: ElementPair, key: string, owners: Paths): Generator<ElementChange> {
    const paths = { before: [...owners.before, key], after: [...owners.after, key] };
    const [before, after] = [member(owner.before, key), member(owner.after, key)];
    const list = this.aligner.alignMember(owner, key);
    if (!before || !after || !list) {
      yield* this.compareChild(before, after, paths);
      return;
    }
    if (this.isEqual({ before, after })) return;
    yield* this.compareItems({ before, after }, list, paths, isPlaceholder(owner, key));
  }

  private *compareChild(
    before: JsonNode | undefined,
    after: JsonNode | undefined,
    paths: Paths,
  ): Generator<ElementChange> {
    if (before && after) yield* this.compare({ before, after }, paths);
    else if (before) yield { pointer: formatPointer(paths.before), before: serializeNode(before) };
    else if (after) yield { pointer: formatPointer(paths.after), after: serializeNode(after) };
  }

  /** Yields items in order. Removed, added and moved items come between them. */
  private *compareItems(
    { before, after }: ElementPair,
    list: ListAlignment,
    paths: Paths,
    isSkipped: (node: JsonNode | undefined, side: keyof Paths, index: number) => boolean = () => false,
  ): Generator<ElementChange> {
    const [beforeItems, afterItems] = [items(before), items(after)];
    const pathsOf = (row: number, column: number): Paths => ({
      before: [...paths.before, String(row)],
      after: [...paths.after, String(column)],
    });
    let [row, column] = [0, 0];
    for (const [nextRow, nextColumn] of [
      ...risingPairs(list.toAfter),
      [list.toAfter.length, list.toBefore.length] as const,
    ]) {
      for (; row < nextRow; row += 1) {
        if (list.toAfter[row] !== -1 || isSkipped(beforeItems[row], 'before', row)) continue;
        yield* this.compareChild(beforeItems[row], undefined, pathsOf(row, column));
      }
      for (; column < nextColumn; column += 1) {
        const source = list.toBefore[column] ?? -1;
        const [old, item] = [beforeItems[source], afterItems[column]];
        if (isSkipped(item, 'after', column) && (!old || isSkipped(old, 'before', source))) continue;
        if (old && item)
          yield { ...changeOf({ before: old, after: item }, pathsOf(source, column)), isMoved: true };
        yield* this.compareChild(old, item, pathsOf(source, column));
      }
      yield* this.compareChild(beforeItems[row], afterItems[column], pathsOf(row, column));
      row += 1;
      column += 1;
    }
  }
}

function changeOf({ before, after }: ElementPair, paths: Paths): ElementChange {
  const [pointer, from] = [formatPointer(paths.after), formatPointer(paths.before)];
  return {
    pointer,
    ...(from !== pointer && { from }),
    before: serializeNode(before),
    after: serializeNode(after),
  };
}

/**
 * Returns a test for a null that only marks the position of a value or of its extensions in the sibling list.
 */
function isPlaceholder(owner: ElementPair, key: string) {
  const sibling = key.startsWith('_') ? key.slice(1) : `_${key}`;
  return (node: JsonNode | undefined, side: keyof Paths, index: number): boolean => {
    if (node?.kind !== 'null') return false;
    const siblingNode = items(member(owner[side], sibling))[index];
    return siblingNode !== undefined && siblingNode.kind !== 'null';
  };
}
