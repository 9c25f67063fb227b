import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { useLogJob } from '../../platform/note-job.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openExport } from '../../platform/transfer.ts';
import { toFailure, type Failure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { exportQuery, type ExportForm } from './export-query.ts';

const messages = text.data.export;

/** Interval between two updates of the progress, in milliseconds. */
const progressIntervalMs = 100;

type ExportPhase =
  | { readonly name: 'idle' }
  | { readonly name: 'running'; readonly records: number; readonly bytes: number }
  | { readonly name: 'ended'; readonly message: string; readonly tone?: 'good' }
  | { readonly name: 'failed'; readonly failure: Failure };

/** Export form with a download of the selected records. */
export function ExportSection() {
  const [form, setForm] = useState<ExportForm>({ type: '', criteria: '' });
  const { phase, start, stop, reset } = useExportRun();
  const running = phase.name === 'running';
  return (
    <form
      className={styles.column}
      aria-label={messages.heading}
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) void start(form);
      }}
    >
      <h2>{messages.heading}</h2>
      <p>{messages.description}</p>
      <div className={styles.row}>
        <ExportFields
          form={form}
          disabled={running}
          onForm={(change) => {
            setForm({ ...form, ...change });
            reset();
          }}
        />
        <Button
          type="submit"
          variant="filled"
          disabled={running}
          leftSection={<IconFileExport size={16} aria-hidden />}
        >
          {messages.start}
        </Button>
      </div>
      {running && (
        <div className={styles.row}>
          <span className={styles.figures}>
            {messages.running}: {messages.progress(phase.records, phase.bytes)}
          </span>
          <Button onClick={stop}>{text.data.stop}</Button>
        </div>
      )}
      {phase.name === 'ended' && (
        <p className={styles.summary} data-tone={phase.tone}>
          {phase.message}
        </p>
      )}
      {phase.name === 'failed' && <FailureMessage title={messages.failed} failure={phase.failure} />}
    </form>
  );
}

/** Runs an export from its start to the file or failure. */
function useExportRun() {
  const [phase, setPhase] = useState<ExportPhase>({ name: 'idle' });
  const abort = useRef<AbortController>(undefined);
  const announce = useAnnounce();
  const note = useLogJob();
  async function start(form: ExportForm): Promise<void> {
    const { signal } = (abort.current = new AbortController());
    setPhase({ name: 'running', records: 0, bytes: 0 });
    let [lastUpdate, recordCount] = [0, 0];
    const end = (message: string, endPhase: ExportPhase) => {
      setPhase(endPhase);
      announce(message);
      if (message !== messages.none)
        note({ kind: 'export', note: message, counts: { records: recordCount } });
    };
    try {
      const done = await collectLines(await openExport(exportQuery(form), signal), (count, size) => {
        recordCount = count;
        if (performance.now() - lastUpdate < progressIntervalMs) return;
        lastUpdate = performance.now();
        setPhase({ name: 'running', records: count, bytes: size });
      });
      recordCount = done.lineCount;
      if (done.lineCount === 0) {
        end(messages.none, { name: 'ended', message: messages.none });
        return;
      }
      const name = fileName(form.type === '' ? 'records' : form.type, 'ndjson');
      saveFile(done.blob, name);
      const message = messages.done(done.lineCount, name);
      end(message, { name: 'ended', message, tone: 'good' });
    } catch (error) {
      const message = messages.stopped(recordCount);
      if (signal.aborted) end(message, { name: 'ended', message });
      else end(messages.failed, { name: 'failed', failure: toFailure(error) });
    }
  }
  return { phase, start, stop: () => abort.current?.abort(), reset: () => setPhase({ name: 'idle' }) };
}

interface WantedProps {
  readonly form: ExportForm;
  readonly disabled: boolean;
  readonly onForm: (change: Partial<ExportForm>) => void;
}

/** Fields that select the exported records. */
function ExportFields({ form, disabled, onForm }: WantedProps) {
  return (
    <>
      <label htmlFor="export-type">{messages.type}</label>
      <NativeSelect
        id="export-type"
        disabled={disabled}
        value={form.type}
        data={[{ value: '', label: messages.allTypes }, ...resourceTypes]}
        onChange={({ currentTarget: { value } }) => onForm({ type: isResourceType(value) ? value : '' })}
      />
      <label htmlFor="export-criteria">{messages.criteria}</label>
      <TextInput
        id="export-criteria"
        className={styles.criteria}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        placeholder={messages.criteriaPlaceholder}
        title={messages.criteriaDescription}
        value={form.criteria}
        onChange={({ currentTarget: { value } }) => onForm({ criteria: value })}
      />
    </>
  );
}
