import { Button, Checkbox, NativeSelect, Progress } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { useRowHeight } from '../../platform/preferences.ts';
import { formatBytes } from '../../ui/format.ts';
import { useStore } from '../../ui/store.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
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

/** Buttons before a result, and to repeat a dry run that did not finish. After one, the choice has the buttons. */
function Actions({ state: { phase } }: { readonly state: ImportState }) {
  if (phase.name === 'done' && phase.dryRun) return null;
  return (
    <div className={styles.row}>
      <Button variant="filled" onClick={() => imports.start(true)}>
        {phase.name === 'idle' ? messages.dryRun : messages.dryRunAgain}
      </Button>
      <Button onClick={() => imports.start(false)}>{messages.withoutDryRun}</Button>
    </div>
  );
}

/** Files of the import, in import order. Only the visible rows are drawn: a folder can have thousands of files. */
function FileTable({ files }: { readonly files: readonly SelectedFile[] }) {
  const [current, setCurrent] = useState(0);
  const rowHeight = useRowHeight();
  const visibleRows = Math.min(files.length, maxVisibleFiles) + 1;
  return (
    <section
      className={styles.files}
      aria-label={messages.files}
      style={{ height: `${(visibleRows + 0.5) * rowHeight}px` }}
    >
      <Grid
        label={messages.files}
        columns={fileColumns}
        rows={files}
        total={files.length}
        rowHeight={rowHeight}
        current={Math.min(current, files.length - 1)}
        keyOf={({ name }) => name}
        onCurrent={setCurrent}
      />
    </section>
  );
}

/** Files that are visible without scrolling, at most. */
const maxVisibleFiles = 8;

const fileColumns: readonly GridColumn<SelectedFile>[] = [
  {
    id: 'name',
    label: messages.columns.name,
    width: 240,
    flexShare: 3,
    cell: ({ name }) => <TruncatedText name={name} end={24} />,
    hint: ({ name }) => name,
  },
  {
    id: 'format',
    label: messages.columns.format,
    width: 140,
    cell: ({ format }) => messages.formats[format],
  },
  {
    id: 'size',
    label: messages.columns.size,
    width: 100,
    isEndAligned: true,
    cell: ({ file }) => formatBytes(file.size),
  },
];

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
