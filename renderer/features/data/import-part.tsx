import { Button, Checkbox, NativeSelect, Progress } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { formatBytes } from '../../ui/format.ts';
import { useStore } from '../../ui/store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { listSelectedFiles, type SelectedFile } from './chosen-files.ts';
import styles from './data.module.css';
import { FilePickers } from './file-picker.tsx';
import { ImportOutcome } from './import-outcome.tsx';
import { imports } from './import-run.ts';
import { ServerExportButton, ServerExportSection } from './server-export-section.tsx';
import { bytesOf, isBusy, recordsOf, type ImportState } from './import-state.ts';

const messages = text.data.import;

/** Import: selecting files, dry run, import and the result of each record. */
export function ImportSection() {
  const state = useStore(imports);
  const { files, phase } = state;
  const isFinished = phase.name !== 'idle' && !isBusy(state);
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      {files.length === 0 && <p>{messages.description}</p>}
      <FilePickers
        accept=".json,.ndjson,.jsonl,.xml,.gz,.zip"
        icon={IconFileImport}
        words={messages}
        busy={isBusy(state)}
        empty={files.length === 0}
        onChosen={(namedFiles) => imports.dispatch({ type: 'chosen', files: listSelectedFiles(namedFiles) })}
      >
        <ServerExportButton disabled={isBusy(state)} />
        {files.length > 0 && (
          <>
            <Button
              variant="subtle"
              disabled={isBusy(state)}
              onClick={() => imports.dispatch({ type: 'cleared' })}
            >
              {messages.clear}
            </Button>
            <span className={styles.figures}>{messages.fileCount(files.length, bytesOf(files))}</span>
          </>
        )}
      </FilePickers>
      {files.length > 0 && (
        <>
          <FileTable files={files} />
          <Options state={state} />
          {isBusy(state) && <ProgressLine state={state} />}
          {!isBusy(state) && !state.imported && <Actions state={state} />}
        </>
      )}
      {isFinished && <ImportOutcome state={state} />}
      <ServerExportSection />
    </div>
  );
}

function Options({ state }: { readonly state: ImportState }) {
  const { options } = state;
  const busy = isBusy(state);
  return (
    <div className={styles.row}>
      <Checkbox
        size="xs"
        label={messages.keepIds}
        title={messages.keepIdsHint}
        checked={options.keepIds}
        disabled={busy}
        onChange={({ currentTarget: { checked } }) =>
          imports.dispatch({ type: 'options', options: { keepIds: checked } })
        }
      />
      <label htmlFor="import-level">{messages.validation}</label>
      <NativeSelect
        id="import-level"
        disabled={busy}
        value={options.level}
        data={[
          { value: 'standard', label: messages.validationLevels.standard },
          { value: 'off', label: messages.validationLevels.off },
        ]}
        onChange={({ currentTarget: { value } }) =>
          imports.dispatch({ type: 'options', options: { level: value === 'off' ? 'off' : 'standard' } })
        }
      />
    </div>
  );
}

/** Buttons with one primary action: the dry run, and after it the import. */
function Actions({ state: { files, phase } }: { readonly state: ImportState }) {
  const checked = phase.name === 'done' && phase.dryRun;
  const importLabel = checked ? messages.importFiles(files.length) : messages.withoutDryRun;
  return (
    <div className={styles.row}>
      {checked && (
        <Button variant="filled" onClick={() => imports.start(false)}>
          {importLabel}
        </Button>
      )}
      <Button variant={checked ? 'default' : 'filled'} onClick={() => imports.start(true)}>
        {phase.name === 'idle' ? messages.dryRun : messages.dryRunAgain}
      </Button>
      {!checked && <Button onClick={() => imports.start(false)}>{importLabel}</Button>}
    </div>
  );
}

/** Files of the import, in import order. */
function FileTable({ files }: { readonly files: readonly SelectedFile[] }) {
  const { columns, formats, files: label } = messages;
  return (
    <div className={styles.files} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>
        <TableHead columns={[columns.name, columns.format, [columns.size, styles.number]]} />
        <tbody>
          {files.map(({ name, format, file }) => (
            <tr key={name}>
              <td className={styles.long} title={name}>
                {name}
              </td>
              <td>{formats[format]}</td>
              <td className={styles.number}>{formatBytes(file.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Progress and rate of the import, with a button to stop it. */
function ProgressLine({ state: { files, phase, progress } }: { readonly state: ImportState }) {
  const totalBytes = bytesOf(files);
  const records = recordsOf(progress);
  const isStopping = phase.name === 'stopping';
  const label = isStopping ? messages.stopping : messages.running('dryRun' in phase && phase.dryRun);
  return (
    <div className={styles.progress}>
      <p>{label}</p>
      <Progress
        value={totalBytes === 0 ? 0 : (progress.bytes / totalBytes) * 100}
        transitionDuration={0}
        aria-label={label}
      />
      <div className={styles.row}>
        <span className={styles.figures}>
          {messages.progress(records, progress.bytes, totalBytes)}
          {progress.milliseconds > 0 && records > 0 && (
            <>, {text.data.rate((records / progress.milliseconds) * 1000)}</>
          )}
        </span>
        <Button onClick={imports.stop}>{isStopping ? text.data.stopNow : text.data.stop}</Button>
      </div>
    </div>
  );
}
