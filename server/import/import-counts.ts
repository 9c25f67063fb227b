/** Counts of an import. */
import {
  createImportCounts,
  type ImportEnd,
  type ImportResult,
  type StoredSpan,
} from '../../core/app/transfer.ts';
import { SkippedFiles, isSkippedFile } from '../../core/import/skipped-files.ts';
import { defined } from '../../core/json/defined.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { ImportedRecord } from './imported-record.ts';

const messages = defineMessages('import', {
  links: { one: '{n} link rewritten', other: '{n} links rewritten' },
  documentRefused: 'Its document was refused.',
  ofRefused: {
    one: '{n} related resource of refused documents skipped',
    other: '{n} related resources of refused documents skipped',
  },
});

/** Reason why a resource that came with a refused document is skipped. */
export const documentRefused = (): Message => messages.documentRefused();

/** Counts the results and the skipped files, types and entries. */
export class ImportCounts {
  readonly counts: Record<ImportResult, number> = createImportCounts();
  private readonly types = new Map<string, number>();
  private readonly skippedFiles = new SkippedFiles();
  private entriesWithoutResource = 0;
  private ofRefusedDocuments = 0;
  private linkCount = 0;
  private readonly supportingTypes = new Map<string, number>();
  private earliestInstant = '';
  private latestInstant = '';

  add(importedRecord: ImportedRecord, lastUpdated?: string): void {
    const { result, reason = '', record = '' } = importedRecord;
    this.counts[result] += 1;
    this.linkCount += importedRecord.links ?? 0;
    if (isSkippedFile(importedRecord)) {
      this.skippedFiles.add(importedRecord.file ?? '');
      return;
    }
    const { messageCode } = importedRecord;
    if (result === 'skipped' && messageCode === documentRefused().messageCode) {
      this.ofRefusedDocuments += 1;
      return;
    }
    if (result === 'skipped' && messageCode !== undefined) {
      this.entriesWithoutResource += 1;
      return;
    }
    if (lastUpdated !== undefined) {
      if (this.earliestInstant === '' || lastUpdated < this.earliestInstant)
        this.earliestInstant = lastUpdated;
      if (lastUpdated > this.latestInstant) this.latestInstant = lastUpdated;
    }
    const [type = ''] = record.split('/');
    const countsByType = { skipped: this.types, kept: this.supportingTypes, replaced: this.supportingTypes }[
      result as string
    ];
    const name = result === 'skipped' ? reason : type;
    countsByType?.set(name, (countsByType.get(name) ?? 0) + 1);
  }

  /** Returns a line that counts the skipped files by their extensions; none if no file was skipped. */
  listSkippedFiles(): string[] {
    const message = this.skippedFiles.describe();
    return message ? [message.text] : [];
  }

  /** Returns the instants of the first and the last stored version; undefined if none was stored. */
  span(): StoredSpan | undefined {
    return this.earliestInstant === ''
      ? undefined
      : { first: this.earliestInstant, last: this.latestInstant };
  }

  /** Returns the number of stored supporting resources by type; undefined if there are none. */
  countSupportingByType(): Readonly<Record<string, number>> | undefined {
    return this.supportingTypes.size === 0 ? undefined : Object.fromEntries([...this.supportingTypes].sort());
  }

  /** Returns the number of rewritten links; undefined for none. */
  countLinks(): number | undefined {
    return this.linkCount || undefined;
  }

  /** Returns the last line of a report. */
  toEnd(): ImportEnd {
    const optionalMembers = {
      companions: this.countSupportingByType(),
      links: this.countLinks(),
      span: this.span(),
    };
    return { done: { ...this.counts }, ...defined(optionalMembers) };
  }

  /** The counts in one line. */
  summary(): string {
    const { stored: storedCount, unchanged, refused: refusedCount, replaced: replacedCount } = this.counts;
    const summaryParts = [`${storedCount} stored`, `${unchanged} unchanged`, `${refusedCount} refused`];
    const list = (types: Iterable<readonly [string, number]>) =>
      formatList(
        Array.from(types, ([type, count]) => `${type} ${count}`),
        'unit',
      );
    const otherTypes = sumOf(this.types);
    if (otherTypes > 0) summaryParts.push(`${otherTypes} of other types skipped (${list(this.types)})`);
    if (this.entriesWithoutResource > 0)
      summaryParts.push(`${this.entriesWithoutResource} entries without a resource skipped`);
    if (this.ofRefusedDocuments > 0)
      summaryParts.push(messages.ofRefused({ n: this.ofRefusedDocuments }).text);
    const supportingCounts = this.countSupportingByType();
    const replacedText = replacedCount === 0 ? '' : ` (${replacedCount} replaced)`;
    if (supportingCounts)
      summaryParts.push(`related resources: ${list(Object.entries(supportingCounts))}${replacedText}`);
    if (this.linkCount > 0) summaryParts.push(messages.links({ n: this.linkCount }).text);
    return `${summaryParts.join(', ')}.`;
  }
}

const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
