/**
 * Types of the addresses under `/app` for docs/api.md. A test compares the sections with the routes of a
 * server. The key of a row is its method (`any` for all), its path and its success status.
 */
export type AppRow = `${'GET' | 'POST' | 'PUT' | 'DELETE' | 'any'} /app/${string} ${number}`;

export interface AppSection {
  readonly title: string;
  /** Text about all rows. */
  readonly text?: string;
  readonly rows: Readonly<Record<AppRow, string>>;
}
