/** Bytes: a page is sent text by text where one is longer than `short`, or all of them together than `held`. */
export const pageSize = { short: 64 * 1024, held: 1024 * 1024 };

/** The member of a page that has it sent text by text: bytes of its largest text, by the lengths of all. */
export function largestOf(lengths: readonly number[]): { readonly largest?: number } {
  const largest = Math.max(0, ...lengths);
  const together = lengths.reduce((sum, one) => sum + one, 0);
  return largest > pageSize.short || together > pageSize.held ? { largest } : {};
}
