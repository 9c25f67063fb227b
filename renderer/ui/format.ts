export {
  fillPlaceholders,
  formatCount,
  formatList,
  formatPercent,
  formatPlural,
  formatUnit,
} from '../../core/text/language.ts';

/** Formats bytes with a unit, in at most three digits: `812 B`, `12.4 kB`, `3.1 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = [' kB', ' MB', ' GB'];
  let size = bytes / 1000;
  // A number with four digits uses the next unit.
  for (; size >= 999.5 && units.length > 1; units.shift()) size /= 1000;
  return `${size < 99.95 ? size.toFixed(1) : size.toFixed(0)}${units[0]}`;
}

/** Formats a literal reference for a column as its id: `17` for `Patient/17` and `urn:uuid:17`. */
export function formatReference(reference: string, type: string): string {
  return reference.startsWith(`${type}/`)
    ? reference.slice(type.length + 1)
    : reference.replace(/^urn:uuid:/, '');
}
