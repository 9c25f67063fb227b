/** `chartkeeper batches`: lists and undoes the imports of a data folder that no server uses. */
import { maxReasonLength, writerOf } from '../../core/app/authorship.ts';
import type { ImportBatch, UndoResult } from '../../core/app/batches.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { formatPlural } from '../../core/text/language.ts';
import { offlineFinder } from '../find/finder.ts';
import { undoBatch } from '../import/undo-batch.ts';
import { openRecords } from '../start.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { SharedStore } from '../store/store.ts';
import { redactNote } from '../workspace/redact.ts';

const heading = ['ID', 'TIME', 'WHO', 'STATE', 'STORED', 'NAME'];

/** Batches that are read together. */
const pageSize = 200;

/** Prints the batches, newest first. */
export async function listBatches(dataDir: string, auditKey?: SealKey): Promise<void> {
  const { store } = await openRecords(dataDir, { auditKey });
  try {
    const rows = [heading];
    for await (const batch of readBatches(store)) rows.push(rowOf(batch));
    const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of rows) {
      const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
      process.stdout.write(`${line.trimEnd()}\n`);
    }
  } finally {
    await store.close();
  }
}

async function* readBatches({ batches }: Pick<SharedStore, 'batches'>): AsyncGenerator<ImportBatch> {
  for (let page = await batches.list(undefined, pageSize); page.length > 0;) {
    yield* page;
    const { time, id } = page.at(-1) ?? { time: '', id: '' };
    page = page.length < pageSize ? [] : await batches.list({ time: Date.parse(time), id }, pageSize);
  }
}

function rowOf(batch: ImportBatch): string[] {
  const { id, time, state, counts, name, form } = batch;
  return [id, time, writerOf(batch), state, String(counts.stored), name === '' ? form : name];
}

export interface UndoBatchOptions {
  readonly id: string;
  readonly reason?: string | undefined;
  readonly dryRun: boolean;
  readonly auditKey?: SealKey | undefined;
}

/** Undoes a batch and prints what became of its records, or what would. */
export async function runUndoBatch(
  dataDir: string,
  { id, reason, dryRun, auditKey }: UndoBatchOptions,
): Promise<void> {
  const { store, service } = await openRecords(dataDir, { auditKey });
  try {
    const batch = await store.batches.read(id);
    if (!batch) throw new Error('There is no import batch with this ID. Run `batches list`.');
    if (batch.state === 'undone') throw new Error('This import was undone already.');
    const finder = offlineFinder(dataDir);
    const note = reason === undefined ? undefined : redactNote(reason.slice(0, maxReasonLength));
    const result = await undoBatch(
      { store, service, clock: Date.now, base: () => '', onRemoved: (records) => finder.erase(records) },
      { batch: id, dryRun, reason: note, actor: { who: ownerName, requestId: '' } },
    );
    process.stdout.write(`${describe(result, dryRun)}\n`);
    for (const { type, id: recordId } of result.changedRecords)
      process.stdout.write(`changed since ${type}/${recordId}\n`);
  } finally {
    await store.close();
  }
}

function describe(result: UndoResult, dryRun: boolean): string {
  const { removed, restored, changed, resourcesRemoved, resourcesRestored, resourcesKept } = result;
  const counts = [
    `${formatPlural(removed, { one: '{n} record', other: '{n} records' })} ${dryRun ? 'would be removed' : 'removed'}`,
    `${restored} put back`,
    `${changed} changed since`,
    `related resources: ${resourcesRemoved} removed, ${resourcesRestored} put back, ${resourcesKept} kept`,
  ];
  return `${counts.join(', ')}.`;
}
