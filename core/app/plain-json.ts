const mostCharacters = 4096;
const mostLevels = 4;

/** Whether a value is JSON of a few levels and a few thousand characters, to be kept for whoever understands it. */
export function isPlainJson(value: unknown): boolean {
  return isPlain(value, mostLevels) && JSON.stringify(value).length <= mostCharacters;
}

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'object' && value !== null) {
    return levels > 0 && Object.values(value).every((one) => isPlain(one, levels - 1));
  }
  return value === null || Number.isFinite(value) || ['boolean', 'string'].includes(typeof value);
}
