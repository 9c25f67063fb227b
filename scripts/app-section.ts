/**
 * Every address under `/app`, for docs/api.md; a test compares them with the routes that the server has. A row's key is
 * its method (`any` for all), its path and the status of success.
 */
export type AppRow = `${'GET' | 'POST' | 'PUT' | 'DELETE' | 'any'} /app/${string} ${number}`;

export interface AppSection {
  readonly title: string;
  /** What the rows have in common. */
  readonly text?: string;
  readonly rows: Readonly<Record<AppRow, string>>;
}
