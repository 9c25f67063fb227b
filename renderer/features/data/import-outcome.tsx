import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { importResults } from '../../../core/app/transfer.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { fileName, useSaveCsv } from '../../platform/save-file.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './data.module.css';
import type { ImportLog, OutcomeFilter } from './import-log.ts';
import { imports } from './import-run.ts';
import { outcomeWords, recordCounts, type ImportState } from './import-state.ts';
import { OutcomeTable } from './outcome-table.tsx';

const messages = text.data.import;

/** Result of an import: a sentence, the next actions, then the records that need attention. */
export function ImportOutcome({ state }: { readonly state: ImportState }) {
  const { phase, progress, filter } = state;
  const [isListVisible, setListVisible] = useState(false);
  const log = imports.log();
  const skippedFiles = log.skippedFiles.describe();
  const dryRun = 'dryRun' in phase && phase.dryRun;
  const results = dryRun ? messages.dryResults : messages.results;
  const filters: readonly OutcomeFilter[] = [
    'all',
    ...importResults.filter((result) => log.count(result) > 0),
  ];
  // A successful import is one line until the user opens the list.
  const clean = log.count('refused') + log.count('skipped') === 0;
  return (
    <>
      {phase.name === 'failed' ? (
        <FailureMessage title={messages.failed(dryRun)} failure={phase.failure}>
          <p>{messages.beforeFailure(recordCounts(progress), dryRun)}</p>
          {!dryRun && phase.unconfirmed > 0 && <p>{messages.unconfirmed(phase.unconfirmed)}</p>}
        </FailureMessage>
      ) : (
        <p className={styles.summary} data-tone={progress.counts.refused > 0 ? 'warning' : 'good'}>
          {outcomeWords(state)}
        </p>
      )}
      {skippedFiles && <p>{skippedFiles.text}</p>}
      {!dryRun && log.countSupportingByType().length > 0 && (
        <p>{messages.storedSupporting(log.countSupportingByType())}</p>
      )}
      <div className={styles.row}>
        {!dryRun && <NextSteps log={log} />}
        <ImportFlagged state={state} log={log} />
        {clean && !isListVisible && log.count('all') > 0 && (
          <Button variant="subtle" onClick={() => setListVisible(true)}>
            {messages.showResults}
          </Button>
        )}
      </div>
      {log.count('all') > 0 && (!clean || isListVisible) && (
        <>
          <div className={styles.row}>
            <SegmentedControl
              size="xs"
              aria-label={messages.filterLabel}
              value={filter}
              data={filters.map((option) => ({
                value: option,
                label: `${option === 'all' ? messages.all : results[option]} ${formatCount(log.count(option))}`,
              }))}
              onChange={(value) => {
                const selectedFilter = filters.find((candidate) => candidate === value);
                if (selectedFilter) imports.dispatch({ type: 'filtered', filter: selectedFilter });
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

/** Buttons that search the stored records and open their findings in the worklist. */
function NextSteps({ log }: { readonly log: ImportLog }) {
  const { openView, search } = useWorkbenchActions();
  const { span, flaggedCount } = log;
  const types = resourceTypes.filter((type) => log.countStored(type) > 0);
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
            {types.length === 1
              ? messages.showRecords
              : messages.showRecordsOfType(type, log.countStored(type))}
          </Button>
        ))}
      {flaggedCount > 0 && (
        <Button onClick={() => openView('quality')}>{messages.reviewIssues(flaggedCount)}</Button>
      )}
    </>
  );
}

interface AnywayProps {
  readonly state: ImportState;
  readonly log: ImportLog;
}

/** Imports rejected records with their issues. Hidden if no level stores them. */
function ImportFlagged({ state: { phase, options }, log }: AnywayProps) {
  const count = log.storableCount;
  const alreadyFlags = options.level === 'off' || 'flagging' in phase;
  if (count === 0 || alreadyFlags) return null;
  const label =
    'dryRun' in phase && phase.dryRun ? messages.importAllFlagged(count) : messages.importRefused(count);
  return <Button onClick={imports.startFlagging}>{label}</Button>;
}

function OutcomeExport({ filter }: { readonly filter: OutcomeFilter }) {
  const copy = useCopy();
  const saveCsv = useSaveCsv();
  const log = imports.log();
  return (
    <div className={styles.end}>
      <Button
        onClick={() =>
          copy([...log.csv(filter)].join(''), messages.copied(log.count(filter)), messages.notCopied)
        }
      >
        {messages.copyCsv}
      </Button>
      <Button onClick={() => saveCsv([...log.csv(filter)], fileName('import', 'csv'))}>
        {messages.saveCsv}
      </Button>
    </div>
  );
}
