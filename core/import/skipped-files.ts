import { formatList } from '../text/language.ts';
import { defineMessages, type Message } from '../text/message.ts';
import type { ImportLine } from '../app/transfer.ts';

const messages = defineMessages('import', {
  skippedFiles: { one: 'Skipped {n} file: {extensions}.', other: 'Skipped {n} files: {extensions}.' },
  withExtension: '{extension} {n}',
  withoutExtension: 'without an extension {n}',
});

/** True if a file is skipped as a whole. */
export function isSkippedFile({ result, messageCode, place, path }: ImportLine): boolean {
  return result === 'skipped' && messageCode !== undefined && place === undefined && path === undefined;
}

/** Counts skipped files by their extensions. */
export class SkippedFiles {
  private readonly countsByExtension = new Map<string, number>();
  count = 0;

  add(file: string): void {
    const extension = (/[^/\\](?<extension>\.[^./\\]+)$/.exec(file)?.groups?.extension ?? '').toLowerCase();
    this.countsByExtension.set(extension, (this.countsByExtension.get(extension) ?? 0) + 1);
    this.count += 1;
  }

  /** Returns the sentence; undefined if no file was skipped. */
  describe(): Message | undefined {
    if (this.count === 0) return undefined;
    const extensions = [...this.countsByExtension].sort().map(([extension, n]) => {
      const message =
        extension === '' ? messages.withoutExtension({ n }) : messages.withExtension({ n, extension });
      return message.text;
    });
    return messages.skippedFiles({ n: this.count, extensions: formatList(extensions, 'unit') });
  }
}
