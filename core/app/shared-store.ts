/** Parts that a server over a shared store does not support yet. */
export const absentParts = ['backups', 'training'] as const;

export type AbsentPart = (typeof absentParts)[number];
