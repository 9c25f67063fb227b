import { alignElements } from '../../../core/json/align.ts';
import { items, member, type JsonNode } from '../../../core/json/node.ts';
import { formatPointer, isArrayIndex, locate, parsePointer } from '../../../core/json/pointer.ts';
import { tryScan } from '../../../core/json/scan.ts';
import { bodyOf, type PatchRow } from './patch-rows.ts';

/**
 * Path of an operation, and the path of the same element in the newer version; undefined if the element was removed.
 */
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
 * Returns operations with the paths of their elements in a newer version. An operation whose item was removed loses
 * its path, so that it is never sent for another item.
 */
export function followPaths({ rows, json }: Operations, before: JsonNode, now: JsonNode): FollowedPaths {
  const { toAfter } = alignElements(before, now);
  const moves: PathMove[] = [];
  const follow = (path: string): string => {
    const tokens = parsePointer(path.trim());
    if (!tokens?.some(isArrayIndex) || !locate(before, tokens)) return path;
    const newTokens = toAfter(tokens);
    const newPath = newTokens && formatPointer(newTokens);
    if (newPath === path.trim()) return path;
    moves.push({ from: path.trim(), ...(newPath !== undefined && { to: newPath }) });
    return newPath ?? '';
  };
  if (json?.edited) return { rows, json: { ...json, text: followInText(json.text, follow) }, moves };
  const newRows = rows.map((row) => ({ ...row, path: follow(row.path) }));
  return { rows: newRows, ...(json && { json: { ...json, text: bodyOf(newRows) } }), moves };
}

/** Returns the text of the array with only the changed paths replaced. */
function followInText(text: string, follow: (path: string) => string): string {
  const { root } = tryScan(text);
  let result = '';
  let end = 0;
  for (const operation of items(root)) {
    const path = member(operation, 'path');
    const newPath = path?.kind === 'string' ? follow(path.value) : undefined;
    if (path?.kind !== 'string' || newPath === undefined || newPath === path.value) continue;
    result += text.slice(end, path.start) + JSON.stringify(newPath);
    end = path.end;
  }
  return result + text.slice(end);
}
