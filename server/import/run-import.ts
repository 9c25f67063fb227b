import { SingleBar } from 'cli-progress';
import { openRecords, ownerName } from '../start.ts';
import { importRecords, type CandidateResult } from './import-records.ts';
import { findFiles, type SourceFile } from './read-sources.ts';

export interface RunImportOptions {
  readonly paths: readonly string[];
  readonly dataDir: string;
  readonly keepIds: boolean;
}

/**
 * The `import` command: a progress bar on a terminal, a line for each refused record, a summary. Answers whether
 * nothing was refused.
 */
export async function runImport({ paths, dataDir, keepIds }: RunImportOptions): Promise<boolean> {
  const files = await findFiles(paths);
  const { store, service } = await openRecords(dataDir);
  const bar = startBar(files);
  const tally = new Tally();
  try {
    let current: SourceFile | undefined;
    for await (const line of importRecords(service, files, { keepIds, author: ownerName })) {
      if (current && current !== line.file) bar.finished(current);
      current = line.file;
      tally.add(line.result, line.reason);
      if (line.result === 'refused') bar.say(`refused ${line.name}: ${line.reason ?? ''}`);
    }
  } finally {
    bar.stop();
    await store.close();
  }
  process.stdout.write(`${tally.summary()}\n`);
  return tally.refused === 0;
}

class Tally {
  private readonly counts: Record<CandidateResult, number> = {
    stored: 0,
    unchanged: 0,
    refused: 0,
    skipped: 0,
  };
  private readonly skipped = new Map<string, number>();

  get refused(): number {
    return this.counts.refused;
  }

  add(result: CandidateResult, reason = ''): void {
    this.counts[result] += 1;
    if (result === 'skipped') this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  summary(): string {
    const { stored, unchanged, refused, skipped } = this.counts;
    const types = [...this.skipped].map(([type, count]) => `${type} ${count}`).join(', ');
    const parts = [`${stored} stored`, `${unchanged} unchanged`, `${refused} refused`];
    if (skipped > 0) parts.push(`${skipped} of other types skipped (${types})`);
    return `${parts.join(', ')}.`;
  }
}

/** A bar over the files' bytes on a terminal; elsewhere only the lines. */
function startBar(files: readonly SourceFile[]) {
  const bar = new SingleBar({
    format: '{bar} {percentage} %  {value} of {total} kB',
    noTTYOutput: false,
    clearOnComplete: true,
    hideCursor: true,
  });
  const shown = process.stderr.isTTY;
  const kilobytes = (bytes: number) => Math.round(bytes / 1000);
  if (shown) bar.start(kilobytes(files.reduce((sum, { bytes }) => sum + bytes, 0)), 0);
  return {
    finished: ({ bytes }: SourceFile) => {
      if (shown) bar.increment(kilobytes(bytes));
    },
    say: (line: string) => void process.stdout.write(`${shown ? '\r\u001b[K' : ''}${line}\n`),
    stop: () => {
      if (shown) bar.stop();
    },
  };
}
