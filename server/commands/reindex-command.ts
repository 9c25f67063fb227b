/** `chartkeeper reindex`: makes anew what is derived of all records, in a data folder that no server holds. */
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

/** Milliseconds of work that are committed together: nobody waits meanwhile. */
const slice = 250;

/**
 * Tells its progress on a terminal, and prints how many records there were; answers whether all of them could be
 * read. Stopped before its end, it is gone on with by whatever opens the folder next.
 */
export async function runReindex(dataDir: string): Promise<boolean> {
  const { store } = await openRecords(dataDir);
  const ended = store.startBulk();
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    await store.derived.renew('everything', Date.now());
    const begun = await store.derived.state();
    progress = startProgress(begun.rebuild?.total ?? 0, 'records');
    while (await store.derived.step({ now: Date.now(), milliseconds: slice })) {
      const { rebuild } = await store.derived.state();
      if (rebuild) progress.reached(rebuild.done);
    }
    const counts = Object.values(await store.count());
    const records = counts.reduce((sum, count) => sum + count, 0);
    const { skipped } = await store.derived.state();
    progress.clear();
    process.stdout.write(`${formatPlural(records, doneForms)}\n`);
    if (skipped > 0) {
      process.stdout.write(`${formatPlural(skipped, skippedForms)}\n`);
    }
    return skipped === 0;
  } finally {
    progress?.clear();
    ended();
    await store.close();
  }
}
