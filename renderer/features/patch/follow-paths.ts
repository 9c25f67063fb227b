import { alignElements } from '../../../core/json/align.ts';
import { items, member, type JsonNode } from '../../../core/json/node.ts';
import { formatPointer, isArrayIndex, locate, parsePointer } from '../../../core/json/pointer.ts';
import { tryScan } from '../../../core/json/scan.ts';
import { bodyOf, type PatchRow } from './patch-rows.ts';

/** A path that an operation had, and the path of the same element in the newer version; absent if the element is gone. */
export interface PathMove {
  readonly from: string;
  readonly to?: string;
}

export interface Operations {
  readonly rows: readonly PatchRow[];
  readonly json?: { readonly text: string; readonly edited: boolean; readonly refusal?: string };
}

export interface FollowedPaths extends Operations {
  readonly moves: readonly PathMove[];
}

/**
 * Returns operations with the paths that their elements have in a newer version. An operation whose item is gone has no
 * path any more, so that it cannot be sent to another item.
 */
export function followPaths({ rows, json }: Operations, before: JsonNode, now: JsonNode): FollowedPaths {
  const { toAfter } = alignElements(before, now);
  const moves: PathMove[] = [];
  const follow = (path: string): string => {
    const tokens = parsePointer(path.trim());
    if (!tokens?.some(isArrayIndex) || !locate(before, tokens)) return path;
    const followed = toAfter(tokens);
    const to = followed && formatPointer(followed);
    if (to === path.trim()) return path;
    moves.push({ from: path.trim(), ...(to !== undefined && { to }) });
    return to ?? '';
  };
  if (json?.edited) return { rows, json: { ...json, text: followInText(json.text, follow) }, moves };
  const followed = rows.map((row) => ({ ...row, path: follow(row.path) }));
  return { rows: followed, ...(json && { json: { ...json, text: bodyOf(followed) } }), moves };
}

/** Returns the array as it was written, but for the paths that changed. */
function followInText(text: string, follow: (path: string) => string): string {
  const { root } = tryScan(text);
  let written = '';
  let end = 0;
  for (const operation of items(root)) {
    const path = member(operation, 'path');
    const followed = path?.kind === 'string' ? follow(path.value) : undefined;
    if (path?.kind !== 'string' || followed === undefined || followed === path.value) continue;
    written += text.slice(end, path.start) + JSON.stringify(followed);
    end = path.end;
  }
  return written + text.slice(end);
}
