/** Text around the user's guide, whose own words are in docs/guide. */
export const guide = {
  contents: 'Contents of the guide',
  search: 'Search the guide',
  none: 'No part of the guide holds all of these words.',
} as const;
