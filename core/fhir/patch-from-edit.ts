import { limits } from './limits.ts';
import { diffByPosition } from '../json/diff-by-position.ts';
import { serializeNode, type JsonNode } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import { serverAssignedPaths } from './record.ts';

/** Reason why replace operations cannot express an edit, and the elements that prevent it. */
export interface NoPatch {
  readonly reason: 'nothing' | 'added' | 'removed' | 'identity' | 'too-many';
  readonly pointers: readonly string[];
}

export interface EditPatch {
  /** Pointers that are replaced, in the order of the operations. */
  readonly pointers: readonly string[];
  /** The request's body: a JSON array of replace operations with the digits as typed. */
  readonly body: string;
}

/**
 * Returns the replace operations (RFC 6902 section 4.3) that turn `base` into `edited`, or why there are none.
 *
 * An element added or removed below the first level is expressed by replacing its parent. On the first level there is
 * no parent, and only `language` may be added.
 */
export function patchFromEdit(base: JsonNode, target: JsonNode): EditPatch | NoPatch {
  const changes = diffByPosition(base, target).filter(({ pointer }) => !serverAssignedPaths.has(pointer));
  if (changes.length === 0) return { reason: 'nothing', pointers: [] };
  const identity = changes.filter(({ pointer }) => ['', '/id', '/resourceType'].includes(pointer));
  if (identity.length > 0) return no('identity', identity);
  const topLevel = changes.filter(({ pointer }) => pointer.lastIndexOf('/') === 0);
  const addedElements = topLevel.filter(
    ({ pointer, before }) => before === undefined && pointer !== '/language',
  );
  if (addedElements.length > 0) return no('added', addedElements);
  const removedElements = topLevel.filter(({ after }) => after === undefined);
  if (removedElements.length > 0) return no('removed', removedElements);

  const pointers = outermost(changes.map(({ pointer }) => replaceable(pointer, base, target)));
  if (pointers.length > limits.patchOperations) return { reason: 'too-many', pointers: [] };
  const operations = pointers.map((pointer) => {
    const value = locate(target, parsePointer(pointer) ?? []);
    return `{"op":"replace","path":${JSON.stringify(pointer)},"value":${value ? serializeNode(value) : 'null'}}`;
  });
  return { pointers, body: `[${operations.join(',')}]` };
}

function no(reason: NoPatch['reason'], changes: readonly { readonly pointer: string }[]): NoPatch {
  return { reason, pointers: changes.map(({ pointer }) => pointer) };
}

/** Returns the nearest element at or above a changed one that exists on both sides. */
function replaceable(pointer: string, base: JsonNode, target: JsonNode): string {
  const tokens = parsePointer(pointer) ?? [];
  const existsAt = (depth: number) =>
    [base, target].every((root) => locate(root, tokens.slice(0, depth)) !== undefined);
  let depth = tokens.length;
  while (depth > 1 && !existsAt(depth)) depth -= 1;
  return formatPointer(tokens.slice(0, depth));
}

/** Returns each pointer once, without those inside another. */
function outermost(pointers: readonly string[]): string[] {
  const uniquePointers = new Set(pointers);
  const isInside = (pointer: string): boolean => {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    return parent !== '' && (uniquePointers.has(parent) || isInside(parent));
  };
  return [...uniquePointers].filter((pointer) => !isInside(pointer));
}
