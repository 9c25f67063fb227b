import { ImportBatch, type NewBatchLines } from '../../../core/app/batches.ts';
import type { ImportLine } from '../../../core/app/transfer.ts';
import { sendAppData } from '../../platform/transfer.ts';
import type { SelectedFile } from './chosen-files.ts';

/** Lines that are sent together. */
const maxLines = 1000;

/** Tells the server what the page could not read of an import, so that its batch accounts for every entry. */
export class BatchReport {
  private readonly batch: string;
  private readonly signal: AbortSignal;
  private readonly lines: NewBatchLines['lines'][number][] = [];
  /** True once a request has brought the batch. */
  private isStarted = false;

  constructor(batch: string, signal: AbortSignal) {
    this.batch = batch;
    this.signal = signal;
  }

  /** Call it after each request of the import. */
  onSent(): void {
    this.isStarted = true;
  }

  /** Adds the result of an entry that was not sent. */
  async add(file: string, { result, ...line }: ImportLine): Promise<void> {
    if (result === 'refused' || result === 'skipped') this.lines.push({ ...line, file, result });
    if (this.isStarted && this.lines.length >= maxLines) await this.send({ lines: this.lines.splice(0) });
  }

  /** Ends the batch. */
  async end(): Promise<void> {
    if (!this.isStarted) return;
    while (this.lines.length > maxLines) await this.send({ lines: this.lines.splice(0, maxLines) });
    await this.send({ lines: this.lines.splice(0), done: true });
  }

  private async send(lines: NewBatchLines): Promise<void> {
    await sendAppData(`/batches/${this.batch}/lines`, lines, ImportBatch, this.signal);
  }
}

/** Returns the name of the batch of files: that of the only file, or of the folder that all are in. */
export function batchNameOf(files: readonly Pick<SelectedFile, 'name'>[]): string {
  const [first] = files;
  const folder = first?.name.split('/')[0] ?? '';
  const isFolder = files.every(({ name }) => name.startsWith(`${folder}/`));
  const name = isFolder ? folder : (first?.name ?? '');
  return isFolder || files.length === 1 ? name : `${name} (+${files.length - 1})`;
}
