/**
 * Lines of an import batch. The store writes the line of a version or a supporting resource together with it. All other
 * lines are gathered here.
 */
import type { Authorship } from '../../core/app/authorship.ts';
import type { ImportForm, ImportLine } from '../../core/app/transfer.ts';
import { batchSource, isBase, sourceOfUrl, withoutVersion } from '../../core/fhir/origin.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { NewLine, SharedStore, StoredLine } from '../store/store.ts';

const messages = defineMessages('batch', {
  undone: 'This import was undone. Import the files again as a new batch.',
});

/** Import that a batch describes. */
export interface BatchRequest extends Omit<Authorship, 'reason'> {
  readonly dryRun: boolean;
  /** UUID of a batch of several requests. Absent for a new one. */
  readonly batch?: string;
  readonly name?: string;
  readonly form?: ImportForm;
  /** True if further requests of the batch follow. */
  readonly more?: boolean;
}

/** Address and content of an entry. */
interface EntryFacts {
  readonly fullUrl?: string | undefined;
  readonly statedId?: string | undefined;
  readonly content?: string | undefined;
}

export interface BatchLog {
  /** Source of resources without an address of their own. */
  readonly source: string;
  /** UUID of the batch. Absent for a dry run. */
  readonly id?: string;
  /** Returns the line of a version or a supporting resource, which the store writes with it. */
  lineOf(line: Partial<ImportLine>, type: string, facts?: EntryFacts): StoredLine | undefined;
  /** Adds the line of an entry that was not stored. */
  add(line: ImportLine, facts: EntryFacts): Promise<void>;
  /** Ends the batch, unless further requests follow. */
  end(): Promise<void>;
  /** Writes the last lines. The batch no longer counts as running. */
  close(): Promise<void>;
}

/** Batches that a request of this server imports or undoes now. */
export class RunningBatches {
  private readonly counts = new Map<string, number>();

  has(id: string): boolean {
    return this.counts.has(id);
  }

  /** Returns the function that ends the run. */
  start(id: string): () => void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const count = (this.counts.get(id) ?? 1) - 1;
      if (count > 0) this.counts.set(id, count);
      else this.counts.delete(id);
    };
  }
}

/** Lines that are written together. */
const maxPendingLines = 200;

/** Results whose lines the store writes. */
const storedResults: ReadonlySet<string> = new Set(['stored', 'kept', 'replaced']);

interface StartedBatch extends Omit<BatchRequest, 'batch'> {
  readonly id: string;
  readonly clock: () => number;
  readonly runningBatches: RunningBatches;
}

/**
 * @throws FhirError `business-rule` if a batch was undone, so that no request can continue it.
 */
export async function requireOpenBatch({ batches }: Pick<SharedStore, 'batches'>, id: string): Promise<void> {
  if ((await batches.read(id))?.state === 'undone')
    throw new FhirError('business-rule', { ...messages.undone(), location: 'http.batch' });
}

/** Starts a batch, or continues it. */
export async function startBatchLog(
  { batches }: Pick<SharedStore, 'batches'>,
  { id, clock, runningBatches, dryRun, name = '', form = 'http', more = false, author, person }: StartedBatch,
): Promise<BatchLog> {
  const source = batchSource(id);
  if (dryRun) return { source, ...noLines };
  const endRun = runningBatches.start(id);
  await batches.begin({ id, name, form, now: clock(), author, person }).catch((error: unknown) => {
    endRun();
    throw error;
  });
  let pendingLines: NewLine[] = [];

  async function flush(): Promise<void> {
    const lines = pendingLines;
    pendingLines = [];
    if (lines.length > 0) await batches.addLines(id, lines);
  }

  return {
    source,
    id,
    lineOf: (line, type, facts = {}) => ({
      batch: id,
      detail: JSON.stringify(line),
      address: isResourceType(type) ? addressOf(type, facts) : undefined,
      content: facts.content,
    }),
    async add({ result, record, ...line }, facts) {
      if (storedResults.has(result)) return;
      const [type = '', resourceId] = record?.split('/') ?? [];
      pendingLines.push({
        result,
        ...(resourceId !== undefined && { name: { type, id: resourceId } }),
        detail: JSON.stringify(line),
        ...(isResourceType(type) && { address: addressOf(type, facts), content: facts.content }),
      });
      if (pendingLines.length >= maxPendingLines) await flush();
    },
    async end() {
      await flush();
      if (!more) await batches.end(id, clock());
    },
    async close() {
      await flush().finally(endRun);
    },
  };
}

const nothing = () => Promise.resolve();
const noLines = { lineOf: () => undefined, add: nothing, end: nothing, close: nothing };

/** Returns the address by which a record of one batch corresponds to that of another. */
function addressOf(type: string, { fullUrl, statedId }: EntryFacts): string | undefined {
  const source = sourceOfUrl(fullUrl);
  if (source !== undefined && isBase(source)) return withoutVersion(fullUrl ?? '');
  return statedId === undefined ? source : `${type}/${statedId}`;
}
