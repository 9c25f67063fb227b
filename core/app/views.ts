/** The workbench's views beside the records. Search is always open; each of the others has one tab that can be closed. */
export type ViewId = 'search' | 'quality' | 'activity' | 'audit' | 'data' | 'access';
