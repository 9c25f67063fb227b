/**
 * Exercises next to the page. Mounted by the frame. Remembers the open exercise; all other state is on the server.
 */
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState, useId } from 'react';
import { PracticeState, ExerciseState, type Exercise } from '../../../core/app/practice.ts';
import { useConnection } from '../../platform/connection.ts';
import { useIsPractice } from '../../platform/practice-store.ts';
import { usePreference } from '../../platform/preferences.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { text } from '../../ui/text.ts';
import styles from './practice.module.css';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { narrow } from '../../../core/api/narrow.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const tones = { new: 'neutral', begun: 'warning', done: 'good' } as const;

/** Returns the progress of an exercise. */
export function getProgress({
  begun: startTime,
  left: remainingSteps,
}: Pick<ExerciseState, 'begun' | 'left'>): keyof typeof tones {
  if (startTime === undefined) return 'new';
  return remainingSteps.length === 0 ? 'done' : 'begun';
}

interface ExercisePartProps {
  readonly state: ExerciseState;
  readonly unfolded: boolean;
  readonly onUnfold: () => void;
}

/** One exercise: name and progress. When open, also its task, remaining steps, a hint and a reset. */
export function ExercisePart({ state, unfolded, onUnfold }: ExercisePartProps) {
  const body = useId();
  const progress = getProgress(state);
  const { name } = messages.tasks[state.exercise];
  return (
    <section className={styles.exercise} aria-label={name}>
      <h3>
        <button
          type="button"
          aria-expanded={unfolded}
          aria-controls={unfolded ? body : undefined}
          onClick={onUnfold}
        >
          <span>{name}</span>
          <ToneDot tone={tones[progress]} label={messages.states[progress]} />
        </button>
      </h3>
      {unfolded && (
        <div id={body} className={styles.task}>
          <Task state={state} />
        </div>
      )}
    </section>
  );
}

function Task({ state }: Pick<ExercisePartProps, 'state'>) {
  const announce = useAnnounce();
  const [isHintVisible, setHintVisible] = useState(false);
  const { exercise, records, left: remainingSteps } = state;
  const { name, task, hint } = messages.tasks[exercise];
  const start = useBegin(() => announce(messages.begun(name)));
  const colleague = useColleague(() => announce(messages.saved));
  const progress = getProgress(state);
  const [{ title, patient } = { title: '', patient: '' }] = records;
  return (
    <>
      <p>{task({ title, patient, count: records.length })}</p>
      {progress === 'done' && <p role="status">{messages.done}</p>}
      {progress === 'begun' && (
        <>
          <h4>{messages.left}</h4>
          <ul className={styles.left}>
            {remainingSteps.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {isHintVisible && <p className={styles.hint}>{hint}</p>}
      <div className={styles.row}>
        <Button
          variant={progress === 'new' ? 'filled' : 'default'}
          title={messages.beginHint}
          aria-label={progress === 'new' ? messages.beginOf(name) : messages.againOf(name)}
          loading={start.isPending}
          onClick={() => start.mutate(exercise)}
        >
          {progress === 'new' ? messages.begin : messages.again}
        </Button>
        {exercise === 'conflict' && progress !== 'new' && (
          <Button loading={colleague.isPending} onClick={() => colleague.mutate()}>
            {messages.colleague}
          </Button>
        )}
        <Button variant="subtle" aria-expanded={isHintVisible} onClick={() => setHintVisible(!isHintVisible)}>
          {isHintVisible ? messages.noHint : messages.hint}
        </Button>
      </div>
      {isHintVisible && progress !== 'new' && <Records records={records} />}
      {start.error && <FailureMessage title={messages.notBegun} failure={toFailure(start.error)} />}
      {colleague.error && <FailureMessage title={messages.notSaved} failure={toFailure(colleague.error)} />}
    </>
  );
}

function Records({ records }: Pick<ExerciseState, 'records'>) {
  const { openRecord } = useWorkbenchActions();
  return (
    <>
      <h4>{messages.about(records.length)}</h4>
      <ul className={styles.records}>
        {records.map((record) => (
          <li key={record.id}>
            <LinkButton onClick={() => openRecord(record)}>{record.title}</LinkButton>
          </li>
        ))}
      </ul>
    </>
  );
}

const messages = text.practice;

/** Panel of the exercises. The current exercise is open. */
export function PracticePanel() {
  const [, show] = usePreference('practice');
  const { remote } = useConnection();
  const isPractice = useIsPractice();
  const hasExercises = remote === undefined || isPractice;
  const query = usePracticeState(hasExercises, isPractice ? remotePollMs : false);
  return (
    <aside className={styles.panel} aria-label={messages.name} data-region="practice">
      <header className={styles.head}>
        <h2>{messages.name}</h2>
        <ActionIcon size={24} aria-label={messages.close} title={messages.close} onClick={() => show(false)}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      <div className={styles.body}>
        {hasExercises ? (
          <QueryContent query={query} failureTitle={messages.failed}>
            {(state) => <Exercises state={state} />}
          </QueryContent>
        ) : (
          <p>{messages.local}</p>
        )}
      </div>
    </aside>
  );
}

function Exercises({ state }: { readonly state: PracticeState }) {
  const [selectedExercise, select] = useState<Exercise>();
  const next = state.find((exerciseState) => getProgress(exerciseState) !== 'done') ?? state[0];
  const unfolded = selectedExercise ?? next?.exercise;
  const done = state.filter((exerciseState) => getProgress(exerciseState) === 'done').length;
  return (
    <>
      <p className="dim">{messages.progress(done, state.length)}</p>
      {state.map((exerciseState) => (
        <ExercisePart
          key={exerciseState.exercise}
          state={exerciseState}
          unfolded={exerciseState.exercise === unfolded}
          onUnfold={() => select(exerciseState.exercise)}
        />
      ))}
    </>
  );
}

const stateKey = ['practice'];

/** Poll interval in the practice store, whose changes are not announced. */
const remotePollMs = 2000;

/** Loads the state of each exercise. Reloads when a record changes, or at an interval in milliseconds. */
export function usePracticeState(isRequested: boolean, refetchInterval: number | false = false) {
  return useAppQuery('/practice', PracticeState, {
    queryKey: stateKey,
    enabled: isRequested,
    refetchInterval,
  });
}

/** Starts or restarts an exercise and reloads all queries. */
export function useBegin(onBegun: () => void) {
  return useChange(
    async (client, exercise: Exercise) =>
      narrow(await client.app('POST', `/practice/${exercise}`, {}), ExerciseState),
    onBegun,
  );
}

/** Saves a change as the simulated colleague. */
export function useColleague(onSaved: () => void) {
  return useChange(
    async (client) => narrow(await client.app('POST', '/practice/conflict/colleague', {}), ExerciseState),
    onSaved,
    stateKey,
  );
}
