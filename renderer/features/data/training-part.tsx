import { Button, Checkbox, Code, NativeSelect, Skeleton } from '@mantine/core';
import type { TrainingState, TrainingEmptied, TrainingDefect } from '../../../core/app/training.ts';
import { useOpenPractice } from '../../platform/practice-store.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useLogJob } from '../../platform/note-job.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { QueryContent } from '../../ui/query-state.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { useLoadSet, useTrainingState, useReset, useWardWriter, useDefects } from './use-training.ts';
import { useState, useMemo } from 'react';
import { Question } from '../../ui/question.tsx';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ToneDot } from '../../ui/tone-dot.tsx';
import frame from '../../ui/view.module.css';
import { csvLine } from '../../../core/app/csv.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { fileName, useSaveCsv } from '../../platform/save-file.ts';

const messages = text.data.training;

/** Training data: record sets, the busy ward, seeded defects and the reset. */
export function TrainingPart({ isActive }: { readonly isActive: boolean }) {
  return (
    <QueryContent query={useTrainingState(isActive)} failureTitle={messages.listFailed}>
      {(state) => (
        <div className={styles.column}>
          <h2>{messages.heading}</h2>
          <p>{messages.description(state.seed)}</p>
          <PracticeStoreLink />
          <SetTable state={state} />
          <PracticeLink />
          <WardPart state={state} />
          <DefectList loaded={(state.sets.find(({ set }) => set === 'migration')?.loaded ?? 0) > 0} />
          <ResetPart state={state} />
        </div>
      )}
    </QueryContent>
  );
}

/** Button that opens the training data in a store of its own. */
function PracticeStoreLink() {
  const announce = useAnnounce();
  const open = useOpenPractice(({ stored: storedCount, unchanged }) =>
    announce(messages.loadResult(messages.sets.clean.name, storedCount, unchanged)),
  );
  return (
    <section className={styles.section} aria-label={messages.store.heading}>
      <h3>{messages.store.heading}</h3>
      <p>{messages.store.description}</p>
      <div className={styles.row}>
        <Button variant="filled" loading={open.isPending} onClick={() => open.mutate()}>
          {messages.store.open}
        </Button>
      </div>
      <RequestFailure title={messages.store.failed} query={open} />
    </section>
  );
}

/** Link to the exercises, which appear next to every view. */
function PracticeLink() {
  const [isVisible, setVisible] = usePreference('practice');
  return (
    <section className={styles.section} aria-label={text.practice.name}>
      <h3>{text.practice.name}</h3>
      <p>{text.practice.what}</p>
      <div className={styles.row}>
        <Button onClick={() => setVisible(!isVisible)}>
          {isVisible ? text.practice.close : text.practice.open}
        </Button>
      </div>
    </section>
  );
}

function SetTable({ state }: { readonly state: TrainingState }) {
  const announce = useAnnounce();
  const logJob = useLogJob();
  const load = useLoadSet((set, { stored: storedCount, unchanged }) => {
    const note = messages.loadResult(messages.sets[set].name, storedCount, unchanged);
    announce(note);
    logJob({ kind: 'training', note, counts: { stored: storedCount, unchanged } });
  });
  const { columns, sets } = messages;
  // Training data never mixes with other records. A loaded set stays as it is when it is loaded again.
  const isMixing = ({ loaded }: { readonly loaded: number }) => state.others > 0 && loaded === 0;
  return (
    <>
      <table className={styles.table} aria-label={messages.heading}>
        <TableHead
          columns={[columns.set, columns.contents, [columns.loaded, styles.number]]}
          action={columns.action}
        />
        <tbody>
          {state.sets.map(({ set, records, loaded }) => (
            <tr key={set}>
              <th scope="row">{sets[set].name}</th>
              <td className={styles.about}>{sets[set].contents}</td>
              <td className={styles.number}>{messages.loaded(loaded, records)}</td>
              <td className={styles.number}>
                <Button
                  fullWidth
                  loading={load.isPending && load.variables === set}
                  disabled={(load.isPending && load.variables !== set) || isMixing({ loaded })}
                  onClick={() => load.mutate(set)}
                >
                  {sets[set].load}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {state.sets.some(isMixing) && <p>{messages.store.onlyThere}</p>}
      <RequestFailure title={messages.loadFailed} query={load} />
    </>
  );
}

const resetMessages = text.data.training.reset;

/** Empties the store. Confirms with record counts and names the location of the backup. */
function ResetPart({ state: { total, others: otherCount } }: { readonly state: TrainingState }) {
  const [isConfirming, setConfirming] = useState(false);
  const [emptied, setEmptied] = useState<TrainingEmptied>();
  return (
    <section className={styles.section} aria-label={resetMessages.heading}>
      <h3>{resetMessages.heading}</h3>
      <p>{resetMessages.description}</p>
      <div className={styles.row}>
        <Button color="red" variant="outline" disabled={total === 0} onClick={() => setConfirming(true)}>
          {resetMessages.start}
        </Button>
        {total === 0 && <span className="dim">{resetMessages.empty}</span>}
      </div>
      {emptied && (
        <div className={styles.summary} data-tone="good">
          <p>{resetMessages.deleted(emptied.removed)}</p>
          <p>
            {resetMessages.backup(emptied.backup.bytes)} <Code>{emptied.backup.path}</Code>
          </p>
        </div>
      )}
      {isConfirming && (
        <ResetQuestion
          total={total}
          otherCount={otherCount}
          onCancel={() => setConfirming(false)}
          onEmptied={(done) => {
            setEmptied(done);
            setConfirming(false);
          }}
        />
      )}
    </section>
  );
}

interface ResetQuestionProps {
  readonly total: number;
  readonly otherCount: number;
  readonly onCancel: () => void;
  readonly onEmptied: (emptied: TrainingEmptied) => void;
}

function ResetQuestion({ total, otherCount, onCancel, onEmptied }: ResetQuestionProps) {
  const announce = useAnnounce();
  const logJob = useLogJob();
  const [isUnderstood, setUnderstood] = useState(false);
  const reset = useReset((emptied) => {
    const { removed: removedCount, backup } = emptied;
    announce(resetMessages.deletedAnnouncement(removedCount, backup.bytes, backup.path));
    logJob({
      kind: 'training',
      note: resetMessages.deleted(removedCount),
      counts: { removed: removedCount },
    });
    onEmptied(emptied);
  });
  return (
    <Question
      title={resetMessages.title}
      confirm={resetMessages.confirm(total)}
      keep={resetMessages.cancel}
      busy={reset.isPending}
      disabled={otherCount > 0 && !isUnderstood}
      onConfirm={() => reset.mutate(otherCount)}
      onKeep={onCancel}
    >
      <p>
        {resetMessages.deletedCount(total)}{' '}
        {otherCount > 0 ? <strong>{resetMessages.otherCount(otherCount)}</strong> : resetMessages.noOthers}
      </p>
      {otherCount > 0 && (
        <Checkbox
          size="xs"
          label={resetMessages.confirmOthers(otherCount)}
          checked={isUnderstood}
          onChange={({ currentTarget: { checked } }) => setUnderstood(checked)}
        />
      )}
      <RequestFailure title={resetMessages.failed} query={reset} />
    </Question>
  );
}

const wardMessages = text.data.training.busyWard;
const paces = [1, 2, 5, 15, 60];

/** Busy ward: its state, its interval and its records. Renders nothing if the set is not loaded. */
function WardPart({ state: { sets, ward, writer } }: { readonly state: TrainingState }) {
  const actions = useWorkbenchActions();
  const announce = useAnnounce();
  const [pace, setPace] = useState<number>();
  const change = useWardWriter((running) =>
    announce(running ? wardMessages.started : wardMessages.stoppedAnnouncement),
  );
  const seconds = pace ?? writer.seconds;
  if (!sets.some(({ set, loaded }) => set === 'busy' && loaded > 0)) return null;
  return (
    <section className={styles.section} aria-label={wardMessages.heading}>
      <h3>{wardMessages.heading}</h3>
      <div className={styles.row}>
        <ToneDot
          tone={writer.running ? 'good' : 'neutral'}
          label={writer.running ? wardMessages.running(writer.seconds) : wardMessages.stopped}
        />
        <label htmlFor="ward-pace">{wardMessages.intervalLabel}</label>
        <NativeSelect
          id="ward-pace"
          value={String(seconds)}
          data={paces.map((interval) => ({
            value: String(interval),
            label: wardMessages.interval(interval),
          }))}
          onChange={({ currentTarget: { value } }) => {
            setPace(Number(value));
            if (writer.running) change.mutate(Number(value));
          }}
        />
        <Button
          loading={change.isPending}
          onClick={() => change.mutate(writer.running ? undefined : seconds)}
        >
          {writer.running ? wardMessages.stop : wardMessages.start}
        </Button>
        {writer.changes > 0 && <span className="dim">{wardMessages.changes(writer.changes)}</span>}
      </div>
      {writer.last && (
        <p className="dim">
          {wardMessages.last(writer.last.title, writer.last.version)},{' '}
          <RelativeTime instant={writer.last.at} />
        </p>
      )}
      {writer.problem !== undefined && <p role="alert">{writer.problem}</p>}
      <RequestFailure title={wardMessages.failed} query={change} />
      <h4>{wardMessages.records}</h4>
      <p className="dim">{wardMessages.recordsHint}</p>
      <ul className={`${frame.picks} ${styles.ward}`} aria-label={wardMessages.records}>
        {ward.map(({ type, id, title }) => (
          <li key={id}>
            <button type="button" title={title} onClick={() => actions.openRecord({ type, id, title })}>
              <span>{title}</span>
              <small>{type}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const defectMessages = text.data.training.defects;

/**
 * Lists the seeded defects of the migration set, to compare them with the findings. Renders nothing if the set is not
 * loaded.
 */
function DefectList({ loaded }: { readonly loaded: boolean }) {
  const [isVisible, setVisible] = useState(false);
  const query = useDefects(isVisible && loaded);
  if (!loaded) return null;
  return (
    <section className={styles.section} aria-label={defectMessages.heading}>
      <h3>{defectMessages.heading}</h3>
      {!isVisible && (
        <div className={styles.row}>
          <Button onClick={() => setVisible(true)}>{defectMessages.show}</Button>
        </div>
      )}
      {isVisible && query.isPending && <Skeleton height={12} />}
      <RequestFailure title={defectMessages.failed} query={query} />
      {isVisible && query.data && <DefectTable defects={query.data} />}
    </section>
  );
}

function DefectTable({ defects }: { readonly defects: readonly TrainingDefect[] }) {
  const actions = useWorkbenchActions();
  const saveCsv = useSaveCsv();
  const [rule, setRule] = useState('');
  const counts = useMemo(() => countsOf(defects), [defects]);
  const rows = useMemo(
    () =>
      defects
        .filter((defect) => rule === '' || defect.rule === rule)
        .sort((a, b) => a.rule.localeCompare(b.rule)),
    [defects, rule],
  );
  const { columns } = defectMessages;
  return (
    <>
      <div className={styles.row}>
        <label htmlFor="defect-rule">{defectMessages.rule}</label>
        <NativeSelect
          id="defect-rule"
          value={rule}
          data={[
            { value: '', label: defectMessages.allRules(defects.length) },
            ...counts.map(([id, count]) => ({ value: id, label: `${id} (${count})` })),
          ]}
          onChange={({ currentTarget: { value } }) => setRule(value)}
        />
        <Button onClick={() => saveCsv(csvRows(rows), fileName('planted-defects', 'csv'))}>
          {defectMessages.saveCsv}
        </Button>
      </div>
      <div className={styles.defects} tabIndex={0} role="region" aria-label={defectMessages.table}>
        <table className={styles.table}>
          <TableHead columns={[columns.rule, columns.record, columns.pointer]} />
          <tbody>
            {rows.map(({ rule: id, type, id: record, title, pointer }) => (
              <tr key={record}>
                <td className="mono">{id}</td>
                <td>
                  <LinkButton onClick={() => actions.openRecord({ type, id: record, title, pointer })}>
                    {type}: {title}
                  </LinkButton>
                </td>
                <td className="mono">{pointer === '' ? defectMessages.root : pointer}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function countsOf(defects: readonly TrainingDefect[]): readonly (readonly [rule: string, count: number])[] {
  return [...Map.groupBy(defects, ({ rule }) => rule)]
    .map(([rule, ruleDefects]) => [rule, ruleDefects.length] as const)
    .sort(([ruleA], [ruleB]) => ruleA.localeCompare(ruleB));
}

function csvRows(defects: readonly TrainingDefect[]): string[] {
  const rows = defects.map(({ rule, type, id, pointer }) => csvLine([rule, type, id, pointer]));
  return [csvLine(['rule', 'type', 'id', 'pointer']), ...rows];
}
