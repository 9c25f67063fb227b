import { Button, SegmentedControl } from '@mantine/core';
import { importResults } from '../../../core/app/transfer.ts';
import { formatCount } from '../../ui/format.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import type { OutcomeFilter } from './import-log.ts';
import { imports } from './import-run.ts';
import type { ImportState } from './import-state.ts';
import { OutcomeTable } from './outcome-table.tsx';
import { outcomeWords } from './outcome-words.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';

const words = text.data.import;

/** What an import came to: a sentence, then line by line. */
export function ImportOutcome({ state }: { readonly state: ImportState }) {
  const { phase, progress, filter } = state;
  const log = imports.log();
  const dryRun = 'dryRun' in phase && phase.dryRun;
  const results = dryRun ? words.dryResults : words.results;
  const filters: readonly OutcomeFilter[] = ['all', ...importResults.filter((one) => log.count(one) > 0)];
  return (
    <>
      {phase.name === 'failed' ? (
        <FailureMessage title={words.failed(dryRun)} failure={phase.failure}>
          <p>{words.confirmed(progress.counts, dryRun)}</p>
          {!dryRun && phase.unconfirmed > 0 && <p>{words.unconfirmed(phase.unconfirmed)}</p>}
        </FailureMessage>
      ) : (
        <p className={styles.summary} data-tone={progress.counts.refused > 0 ? 'warning' : 'good'}>
          {outcomeWords(state)}
        </p>
      )}
      {log.count('all') > 0 && (
        <>
          <div className={styles.row}>
            <SegmentedControl
              size="xs"
              aria-label={words.filter}
              value={filter}
              data={filters.map((one) => ({
                value: one,
                label: `${one === 'all' ? words.all : results[one]} ${formatCount(log.count(one))}`,
              }))}
              onChange={(value) => {
                const chosen = filters.find((one) => one === value);
                if (chosen) imports.dispatch({ type: 'filtered', filter: chosen });
              }}
            />
            <OutcomeExport filter={filter} />
          </div>
          <OutcomeTable log={log} filter={filter} results={results} />
        </>
      )}
    </>
  );
}

function OutcomeExport({ filter }: { readonly filter: OutcomeFilter }) {
  const announce = useAnnounce();
  const log = imports.log();
  const copy = () =>
    navigator.clipboard.writeText([...log.csv(filter)].join('')).then(
      () => announce(words.copied(log.count(filter))),
      () => announce(words.notCopied),
    );
  return (
    <div className={styles.end}>
      <Button onClick={() => void copy()}>{words.copyCsv}</Button>
      <Button
        onClick={() =>
          saveFile(new Blob([...log.csv(filter)], { type: 'text/csv' }), fileName('import', 'csv'))
        }
      >
        {words.saveCsv}
      </Button>
    </div>
  );
}
