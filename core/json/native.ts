import { maxDepth } from './scan.ts';

/** What a line begins with that stands deeper than `scan` reads. */
const tooDeep = `\n${'  '.repeat(maxDepth)}`;

/**
 * Reads a text with the engine's own JSON, in a tenth of the time of `scan`. It forgets digits, escapes and names that
 * stand twice: undefined unless it writes the value back as the very text, so that nothing was forgotten. `formatted` is
 * the text as `format` lays it out.
 */
export function readNatively(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (JSON.stringify(value) !== text) return undefined;
  const formatted = JSON.stringify(value, null, 2);
  return formatted.includes(tooDeep) ? undefined : { value, formatted };
}
