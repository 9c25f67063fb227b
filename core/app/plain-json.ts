/** What JSON can hold, as a program holds it. */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [name: string]: PlainJson };

const mostCharacters = 4096;
const mostLevels = 4;

/** Whether a value is JSON of a few levels and a few thousand characters, to be kept for whoever understands it. */
export function isPlainJson(value: unknown): value is PlainJson {
  return isPlain(value, mostLevels) && JSON.stringify(value).length <= mostCharacters;
}

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'object' && value !== null) {
    return levels > 0 && Object.values(value).every((one) => isPlain(one, levels - 1));
  }
  return value === null || ['boolean', 'number', 'string'].includes(typeof value);
}
