import { Button } from '@mantine/core';
import { useState } from 'react';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { fileName, useSaveCsv } from '../../platform/save-file.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './data.module.css';
import type { ImportLog, OutcomeFilter } from './import-log.ts';
import { imports } from './import-run.ts';
import { outcomeWords, recordCounts, type ImportState } from './import-state.ts';
import { OutcomeByReason } from './outcome-by-reason.tsx';
import { OutcomeTable } from './outcome-table.tsx';
import { StoreChoices } from './store-choice.tsx';

const messages = text.data.import;

/** Result of an import: a sentence, the next actions, then the records that need attention. */
export function ImportOutcome({ state }: { readonly state: ImportState }) {
  const { phase, progress, filter } = state;
  const [isListVisible, setListVisible] = useState(false);
  const log = imports.log();
  const skippedFiles = log.skippedFiles.describe();
  const dryRun = 'dryRun' in phase && phase.dryRun;
  const results = dryRun ? messages.dryResults : messages.results;
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
      {dryRun && phase.name === 'done' && <StoreChoices state={state} log={log} />}
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
          <OutcomeByReason
            groups={log.groups.list()}
            results={results}
            filter={filter}
            onFilter={(next) => imports.dispatch({ type: 'filtered', filter: next })}
          />
          <div className={styles.row}>
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

/** Imports the rejected records of an import with their issues. Hidden if no level stores them. */
function ImportFlagged({ state: { phase, options }, log }: AnywayProps) {
  const count = log.storableCount;
  const alreadyFlags = options.level === 'off' || 'flagging' in phase;
  const isDryRun = 'dryRun' in phase && phase.dryRun;
  if (count === 0 || alreadyFlags || isDryRun) return null;
  return <Button onClick={imports.startFlagging}>{messages.importRefused(count)}</Button>;
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
