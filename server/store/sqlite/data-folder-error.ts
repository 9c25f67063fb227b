/** Why a data folder cannot be used, with the exit code that tells it to a program. */
export const folderFaults = {
  unusable: 10,
  'in-use': 11,
  newer: 12,
  empty: 13,
  foreign: 14,
  truncated: 15,
  damaged: 16,
  'read-only': 17,
  'other-schema': 18,
  'other-settings': 19,
  'not-a-folder': 20,
  'closed-folder': 21,
  missing: 22,
  'rotten-backup': 23,
  unfinished: 24,
} as const;

export type FolderFault = keyof typeof folderFaults;

/** A data folder cannot be used; the sentence names the file and what can be done. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  readonly fault: FolderFault;
  /** What in the file is at fault, where that is known. */
  readonly detail: string | undefined;

  constructor(
    fault: FolderFault,
    message: string,
    options?: ErrorOptions & { readonly detail?: string | undefined },
  ) {
    super(message, options);
    this.fault = fault;
    this.detail = options?.detail;
  }

  get exitCode(): number {
    return folderFaults[this.fault];
  }
}

export function isFolderFault(name: unknown): name is FolderFault {
  return typeof name === 'string' && Object.hasOwn(folderFaults, name);
}
