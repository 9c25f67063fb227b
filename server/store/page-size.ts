/**
 * Limits in bytes. A page is sent text by text if one text is longer than `short`, or all together are longer
 * than `held`.
 */
export const pageSize = { short: 64 * 1024, held: 1024 * 1024 };

/** Returns the size of the largest text if the page is sent text by text. */
export function largestOf(lengths: readonly number[]): { readonly largest?: number } {
  const largest = Math.max(0, ...lengths);
  const totalBytes = lengths.reduce((sum, length) => sum + length, 0);
  return largest > pageSize.short || totalBytes > pageSize.held ? { largest } : {};
}
