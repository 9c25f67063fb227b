/** The parts of the room Trust, in the order of its tabs. */
export const trustParts = ['audit', 'damage', 'backups', 'access'] as const;
export type TrustPart = (typeof trustParts)[number];

/**
 * The workbench's views beside the records. Search is always open; each of the others has one tab that can be closed,
 * and the parts of Trust share one. `trust` is the part of it that was looked at last.
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

/** The part of Trust that a view is; undefined for one that is none. */
export function trustPartOf(view: string): TrustPart | undefined {
  return trustParts.find((part) => part === view);
}
