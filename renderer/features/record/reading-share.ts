/** The least, usual and greatest part of the reading view beside the JSON, in per cent. */
export const readingShare = { least: 25, usual: 50, most: 75 } as const;

/** A part in whole per cent that the reading view can have. */
function shareWithin(share: number): number {
  return Math.round(Math.min(readingShare.most, Math.max(readingShare.least, share)));
}

/** The part in what was kept; the usual one where none was. */
export function readShare(kept: unknown): number {
  return typeof kept === 'number' ? shareWithin(kept) : readingShare.usual;
}
