import { parsePointer } from '../../core/json/pointer.ts';
import type { Json, JsonObject } from './encode.ts';

/** The value at a JSON Pointer; undefined where there is none. */
export function at(record: JsonObject, pointer: string): Json | undefined {
  return tokensOf(pointer).reduce<Json | undefined>((value, token) => memberOf(value, token), record);
}

/** What a record is called. */
export function titleOf(record: JsonObject): string {
  const title = at(record, '/title');
  return typeof title === 'string' ? title : '';
}

/** The record with another value at a JSON Pointer, or without it where the value is undefined. */
export function put(record: JsonObject, pointer: string, value: Json | undefined): JsonObject {
  const changed = putAt(record, tokensOf(pointer), value);
  if (changed === undefined || !isObject(changed)) throw new RangeError(`Nothing can stand at ${pointer}`);
  return changed;
}

/**
 * The first JSON Pointer that a pattern stands for, each `*` being an item of an array: of those whose parent exists
 * or, where `existing`, of those that exist.
 */
export function resolve(record: JsonObject, pattern: string, existing: boolean): string | undefined {
  const star = pattern.indexOf('/*');
  if (star === -1) {
    const needed = existing ? pattern : pattern.slice(0, pattern.lastIndexOf('/'));
    return at(record, needed) === undefined ? undefined : pattern;
  }
  const before = pattern.slice(0, star);
  const items = at(record, before);
  if (!isArray(items)) return undefined;
  for (const index of items.keys()) {
    const found = resolve(record, `${before}/${index}${pattern.slice(star + 2)}`, existing);
    if (found !== undefined) return found;
  }
  return undefined;
}

function putAt(
  target: Json | undefined,
  [token, ...rest]: readonly string[],
  value: Json | undefined,
): Json | undefined {
  if (token === undefined) return value;
  const next = putAt(memberOf(target, token), rest, value);
  if (isArray(target)) {
    const items = target.map((item, index) => (index === Number(token) ? next : item));
    return items.filter((item) => item !== undefined);
  }
  return { ...(isObject(target) && target), [token]: next };
}

function memberOf(value: Json | undefined, token: string): Json | undefined {
  if (isArray(value)) return value[Number(token)];
  return isObject(value) ? value[token] : undefined;
}

function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && !isArray(value);
}

function tokensOf(pointer: string): readonly string[] {
  return parsePointer(pointer) ?? [];
}
