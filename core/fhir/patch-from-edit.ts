import { limits } from './limits.ts';
import { diffByPosition } from '../json/diff-by-position.ts';
import type { JsonNode } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import { print } from '../json/print.ts';
import { serverAssignedPaths } from './record.ts';

/** Why replace operations cannot say an edit; `pointers` name the elements that stand in the way. */
export interface NoPatch {
  readonly reason: 'nothing' | 'added' | 'removed' | 'identity' | 'too-many';
  readonly pointers: readonly string[];
}

export interface EditPatch {
  /** Pointers that are replaced, in the order of the operations. */
  readonly pointers: readonly string[];
  /** The request's body: a JSON array of replace operations with the digits as they were typed. */
  readonly body: string;
}

/**
 * The replace operations (RFC 6902 section 4.3) that turn `base` into `edited`, or why there are none. An element that
 * was added or removed below the first level is said by replacing what holds it; on the first level nothing holds it,
 * and only `language` may be set where it was not.
 */
export function patchFromEdit(base: JsonNode, edited: JsonNode): EditPatch | NoPatch {
  const changes = diffByPosition(base, edited).filter(({ pointer }) => !serverAssignedPaths.has(pointer));
  if (changes.length === 0) return { reason: 'nothing', pointers: [] };
  const identity = changes.filter(({ pointer }) => ['', '/id', '/resourceType'].includes(pointer));
  if (identity.length > 0) return no('identity', identity);
  const first = changes.filter(({ pointer }) => pointer.lastIndexOf('/') === 0);
  const added = first.filter(({ pointer, before }) => before === undefined && pointer !== '/language');
  if (added.length > 0) return no('added', added);
  const removed = first.filter(({ after }) => after === undefined);
  if (removed.length > 0) return no('removed', removed);

  const pointers = outermost(changes.map(({ pointer }) => replaceable(pointer, base, edited)));
  if (pointers.length > limits.patchOperations) return { reason: 'too-many', pointers: [] };
  const operations = pointers.map((pointer) => {
    const value = locate(edited, parsePointer(pointer) ?? []);
    return `{"op":"replace","path":${JSON.stringify(pointer)},"value":${value ? print(value) : 'null'}}`;
  });
  return { pointers, body: `[${operations.join(',')}]` };
}

function no(reason: NoPatch['reason'], changes: readonly { readonly pointer: string }[]): NoPatch {
  return { reason, pointers: changes.map(({ pointer }) => pointer) };
}

/** The nearest element at or above a changed one that stands on both sides. */
function replaceable(pointer: string, base: JsonNode, edited: JsonNode): string {
  const tokens = parsePointer(pointer) ?? [];
  const stands = (depth: number) =>
    [base, edited].every((root) => locate(root, tokens.slice(0, depth)) !== undefined);
  let depth = tokens.length;
  while (depth > 1 && !stands(depth)) depth -= 1;
  return formatPointer(tokens.slice(0, depth));
}

/** Each pointer once, without those inside another. */
function outermost(pointers: readonly string[]): string[] {
  const all = new Set(pointers);
  const isInside = (pointer: string): boolean => {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    return parent !== '' && (all.has(parent) || isInside(parent));
  };
  return [...all].filter((pointer) => !isInside(pointer));
}
