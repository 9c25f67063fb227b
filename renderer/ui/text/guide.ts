/** Text around the user’s guide. Its chapters are in docs/guide. */
export const guide = {
  contents: 'Contents of the guide',
  search: 'Search the guide',
  none: 'No section contains all of these words.',
} as const;
