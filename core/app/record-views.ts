/** As what an open record is shown, in the order of its tabs. */
export const recordViews = ['read', 'json', 'both'] as const;
export type RecordView = (typeof recordViews)[number];
