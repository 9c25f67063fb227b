import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useReducer, useRef } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { useNoteJob } from '../../platform/note-job.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openExport } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import {
  exportQuery,
  exportReducer,
  initialExport,
  type ExportForm,
  type ExportPhase,
} from './export-state.ts';

const words = text.data.export;

/** Milliseconds between two drawings of the progress. */
const drawTime = 100;

/** Export: what, and a download of it. */
export function ExportPart() {
  const { state, dispatch, start, stop } = useExportRun();
  const { form, phase, records, bytes } = state;
  const running = phase.name === 'running';
  return (
    <form
      className={styles.column}
      aria-label={words.heading}
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) void start();
      }}
    >
      <h2>{words.heading}</h2>
      <p>{words.what}</p>
      <div className={styles.row}>
        <Wanted
          form={form}
          disabled={running}
          onForm={(change) => dispatch({ type: 'changed', form: change })}
        />
        <Button
          type="submit"
          variant="filled"
          disabled={running}
          leftSection={<IconFileExport size={16} aria-hidden />}
        >
          {words.start}
        </Button>
      </div>
      {running && (
        <div className={styles.row}>
          <span className={styles.figures}>
            {words.running}: {words.progress(records, bytes)}
          </span>
          <Button onClick={stop}>{text.data.stop}</Button>
        </div>
      )}
      {phase.name === 'done' && (
        <p className={styles.summary} data-tone="good">
          {words.done(records, phase.file)}
        </p>
      )}
      {phase.name === 'none' && <p className={styles.summary}>{words.none}</p>}
      {phase.name === 'stopped' && <p className={styles.summary}>{words.stopped(records)}</p>}
      {phase.name === 'failed' && <FailureMessage title={words.failed} failure={phase.failure} />}
    </form>
  );
}

/** An export from its start to its file, or to whatever it ends with. */
function useExportRun() {
  const [state, dispatch] = useReducer(exportReducer, initialExport);
  const abort = useRef<AbortController>(undefined);
  const announce = useAnnounce();
  const note = useNoteJob();
  async function start(): Promise<void> {
    const { form } = state;
    const { signal } = (abort.current = new AbortController());
    dispatch({ type: 'started' });
    let [drawn, came] = [0, 0];
    const end = (ended: ExportPhase, said: string) => {
      dispatch({ type: 'ended', phase: ended });
      announce(said);
      if (ended.name !== 'none') note({ kind: 'export', note: said, counts: { records: came } });
    };
    try {
      const done = await collectLines(await openExport(exportQuery(form), signal), (count, size) => {
        came = count;
        if (performance.now() - drawn < drawTime) return;
        drawn = performance.now();
        dispatch({ type: 'progressed', records: count, bytes: size });
      });
      came = done.lines;
      dispatch({ type: 'progressed', records: done.lines, bytes: done.blob.size });
      if (done.lines === 0) {
        end({ name: 'none' }, words.none);
        return;
      }
      const name = fileName(form.type === '' ? 'records' : form.type, 'ndjson');
      saveFile(done.blob, name);
      end({ name: 'done', file: name }, words.done(done.lines, name));
    } catch (error) {
      if (signal.aborted) end({ name: 'stopped' }, words.stopped(came));
      else end({ name: 'failed', failure: toFailure(error) }, words.failed);
    }
  }
  return { state, dispatch, start, stop: () => abort.current?.abort() };
}

interface WantedProps {
  readonly form: ExportForm;
  readonly disabled: boolean;
  readonly onForm: (change: Partial<ExportForm>) => void;
}

/** Which records are exported. */
function Wanted({ form, disabled, onForm }: WantedProps) {
  return (
    <>
      <label htmlFor="export-type">{words.type}</label>
      <NativeSelect
        id="export-type"
        disabled={disabled}
        value={form.type}
        data={[{ value: '', label: words.both }, ...resourceTypes]}
        onChange={({ currentTarget: { value } }) => onForm({ type: isResourceType(value) ? value : '' })}
      />
      <label htmlFor="export-criteria">{words.criteria}</label>
      <TextInput
        id="export-criteria"
        className={styles.criteria}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        placeholder={words.criteriaHint}
        title={words.criteriaWhat}
        value={form.criteria}
        onChange={({ currentTarget: { value } }) => onForm({ criteria: value })}
      />
    </>
  );
}
