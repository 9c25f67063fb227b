import { parsePointer } from '../../core/json/pointer.ts';
import type { Json, JsonObject } from './encode.ts';

/** Returns the value at a JSON Pointer; undefined if there is none. */
export function valueAt(record: JsonObject, pointer: string): Json | undefined {
  return tokensOf(pointer).reduce<Json | undefined>((value, token) => memberOf(value, token), record);
}

/** Returns the title of a record. */
export function titleOf(record: JsonObject): string {
  const title = valueAt(record, '/title');
  return typeof title === 'string' ? title : '';
}

/** Returns the record with another value at a JSON Pointer, or without it if the value is undefined. */
export function put(record: JsonObject, pointer: string, value: Json | undefined): JsonObject {
  const changedRecord = setAtTokens(record, tokensOf(pointer), value);
  if (changedRecord === undefined || !isObject(changedRecord))
    throw new RangeError(`The record can’t have a value at ${pointer}`);
  return changedRecord;
}

/**
 * Returns the first JSON Pointer that matches a pattern, in which each `*` is an array index: one with an
 * existing parent, or an existing one if `existing` is true.
 */
export function resolve(record: JsonObject, pattern: string, existing: boolean): string | undefined {
  const star = pattern.indexOf('/*');
  if (star === -1) {
    const needed = existing ? pattern : pattern.slice(0, pattern.lastIndexOf('/'));
    return valueAt(record, needed) === undefined ? undefined : pattern;
  }
  const before = pattern.slice(0, star);
  const items = valueAt(record, before);
  if (!isArray(items)) return undefined;
  for (const index of items.keys()) {
    const match = resolve(record, `${before}/${index}${pattern.slice(star + 2)}`, existing);
    if (match !== undefined) return match;
  }
  return undefined;
}

function setAtTokens(
  target: Json | undefined,
  [token, ...remainingTokens]: readonly string[],
  value: Json | undefined,
): Json | undefined {
  if (token === undefined) return value;
  const next = setAtTokens(memberOf(target, token), remainingTokens, value);
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
