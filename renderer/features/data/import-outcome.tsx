import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { importResults } from '../../../core/app/transfer.ts';
import { definitionOf, resourceTypes } from '../../../core/fhir/resource.ts';
import { fileName, useSaveCsv } from '../../platform/save-file.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './data.module.css';
import type { ImportLog, OutcomeFilter } from './import-log.ts';
import { imports } from './import-run.ts';
import { outcomeWords, type ImportState } from './import-state.ts';
import { OutcomeTable } from './outcome-table.tsx';

const words = text.data.import;

/** What an import came to: a sentence, what can be done next, then what somebody has to see to. */
export function ImportOutcome({ state }: { readonly state: ImportState }) {
  const { phase, progress, filter } = state;
  const [listed, setListed] = useState(false);
  const log = imports.log();
  const dryRun = 'dryRun' in phase && phase.dryRun;
  const results = dryRun ? words.dryResults : words.results;
  const filters: readonly OutcomeFilter[] = ['all', ...importResults.filter((one) => log.count(one) > 0)];
  // Success is one line until its list is asked for.
  const clean = log.count('refused') + log.count('skipped') === 0;
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
      {!dryRun && log.companions().length > 0 && <p>{words.companions(log.companions())}</p>}
      <div className={styles.row}>
        {!dryRun && <NextSteps log={log} />}
        <Anyway state={state} />
        {clean && !listed && log.count('all') > 0 && (
          <Button variant="subtle" onClick={() => setListed(true)}>
            {words.list}
          </Button>
        )}
      </div>
      {log.count('all') > 0 && (!clean || listed) && (
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
          <OutcomeTable key={filter} log={log} filter={filter} results={results} dryRun={dryRun} />
        </>
      )}
    </>
  );
}

/** What was stored as a search, and what of it is flagged in the worklist. */
function NextSteps({ log }: { readonly log: ImportLog }) {
  const { openView, search } = useWorkbenchActions();
  const { span, flagged } = log;
  const types = resourceTypes.filter((type) => log.storedOf(type) > 0);
  return (
    <>
      {span &&
        types.map((type) => (
          <Button
            key={type}
            onClick={() =>
              search(
                [
                  ['_lastUpdated', `ge${span.first}`],
                  ['_lastUpdated', `le${span.last}`],
                ],
                type,
              )
            }
          >
            {types.length === 1 ? words.show : words.showOf(log.storedOf(type), definitionOf(type).plural)}
          </Button>
        ))}
      {flagged > 0 && <Button onClick={() => openView('quality')}>{words.worklist(flagged)}</Button>}
    </>
  );
}

/** What was refused is a run of its own, at the level that flags. */
function Anyway({ state: { phase, options, progress } }: { readonly state: ImportState }) {
  const { refused } = progress.counts;
  const flags = options.level === 'off' || 'only' in phase;
  if (refused === 0 || flags) return null;
  return <Button onClick={imports.startAnyway}>{words.anyway(refused)}</Button>;
}

function OutcomeExport({ filter }: { readonly filter: OutcomeFilter }) {
  const copy = useCopy();
  const saveCsv = useSaveCsv();
  const log = imports.log();
  return (
    <div className={styles.end}>
      <Button
        onClick={() => copy([...log.csv(filter)].join(''), words.copied(log.count(filter)), words.notCopied)}
      >
        {words.copyCsv}
      </Button>
      <Button onClick={() => saveCsv([...log.csv(filter)], fileName('import', 'csv'))}>
        {words.saveCsv}
      </Button>
    </div>
  );
}
