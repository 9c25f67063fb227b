import { defineMessages, type Message } from '../../core/text/message.ts';

/** Reasons why a data folder can't be used, with the exit codes of the program. */
export const folderExitCodes = {
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

export type FolderErrorCode = keyof typeof folderExitCodes;

const messages = defineMessages('dataFolder', {
  missingFile: '{path} doesn’t exist.',
});

/** Returns the error of a missing file. */
export function missingFile(path: string): DataFolderError {
  return new DataFolderError('unusable', messages.missingFile({ path }));
}

/** Error of a data folder that can't be used. The sentence names the file and a remedy. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  readonly errorCode: FolderErrorCode;
  readonly sentence: Message;
  /** Damaged part of the file, if known. */
  readonly detail: string | undefined;

  constructor(
    errorCode: FolderErrorCode,
    sentence: Message,
    options?: ErrorOptions & { readonly detail?: string | undefined },
  ) {
    super(sentence.text, options);
    this.errorCode = errorCode;
    this.sentence = sentence;
    this.detail = options?.detail;
  }

  get exitCode(): number {
    return folderExitCodes[this.errorCode];
  }
}
