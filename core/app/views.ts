/** The workbench's views beside the records. Search is always open; each of the others has one tab that can be closed. */
export const viewIds = ['search', 'quality', 'activity', 'audit', 'data', 'access'] as const;
export type ViewId = (typeof viewIds)[number];

export function isViewId(value: unknown): value is ViewId {
  return viewIds.some((one) => one === value);
}
