/** What a server over a shared store does not offer yet, and says so. */

/** Each with what to do without it. */
export const absentFromShared = {
  backups: 'The database’s own backups hold the records; those who keep it make them, and restore from them.',
  training: 'Practice on a server of its own data folder.',
} as const;

export type AbsentPart = keyof typeof absentFromShared;

export const absentParts = Object.keys(absentFromShared) as [AbsentPart, ...AbsentPart[]];

/** What an address of such a part says. */
export function absentText(part: AbsentPart): string {
  return `A server over a shared store does not offer this yet. ${absentFromShared[part]}`;
}
