/** `chartkeeper reindex`: rebuilds the derived rows of a data folder that no server uses. */
import { formatPlural } from '../../core/text/language.ts';
import { startProgress } from './progress-line.ts';
import { openRecords } from '../start.ts';

const doneForms = {
  one: '{n} record re-indexed and checked.',
  other: '{n} records re-indexed and checked.',
};
const skippedForms = {
  one: '{n} of them is unreadable and was left unchanged. Run chartkeeper verify to list it.',
  other: '{n} of them are unreadable and were left unchanged. Run chartkeeper verify to list them.',
};

/** Milliseconds of work per commit. Large, because no request waits. */
const batchMs = 250;

/**
 * Rebuilds all rows, shows progress on a terminal and prints the number of records. Returns true if all were readable. If
 * interrupted, the next program that opens the folder continues.
 */
export async function runReindex(dataDir: string): Promise<boolean> {
  const { store } = await openRecords(dataDir);
  const endBulk = store.startBulk();
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    await store.derived.startRebuild('everything', Date.now());
    const initialState = await store.derived.state();
    progress = startProgress(initialState.rebuild?.total ?? 0, 'records');
    while (await store.derived.runSlice({ now: Date.now(), milliseconds: batchMs })) {
      const { rebuild } = await store.derived.state();
      if (rebuild) progress.update(rebuild.done);
    }
    const counts = Object.values(await store.count());
    const records = counts.reduce((sum, count) => sum + count, 0);
    const { skippedCount } = await store.derived.state();
    progress.clear();
    process.stdout.write(`${formatPlural(records, doneForms)}\n`);
    if (skippedCount > 0) {
      process.stdout.write(`${formatPlural(skippedCount, skippedForms)}\n`);
    }
    return skippedCount === 0;
  } finally {
    progress?.clear();
    endBulk();
    await store.close();
  }
}
