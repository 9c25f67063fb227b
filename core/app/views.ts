/** Parts of the view Trust, in order of its tabs. */
export const trustParts = ['audit', 'damage', 'backups', 'access'] as const;
export type TrustPart = (typeof trustParts)[number];

/**
 * Views of the workbench. Search is always open. Each other view has one tab that can be closed, and the
 * parts of Trust share one. `trust` is its last active part.
 */
export type ViewId =
  | 'overview'
  | 'search'
  | 'quality'
  | 'activity'
  | 'data'
  | 'trust'
  | 'settings'
  | 'guide'
  | TrustPart;

/** Returns the part of Trust that a view is; undefined for other views. */
export function trustPartOf(view: string): TrustPart | undefined {
  return trustParts.find((part) => part === view);
}
