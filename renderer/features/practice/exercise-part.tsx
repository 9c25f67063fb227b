import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import type { ExerciseState } from '../../../core/app/practice.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import styles from './practice.module.css';
import { useBegin, useColleague } from './use-practice.ts';

const words = text.practice;
const tones = { new: 'neutral', begun: 'warning', done: 'good' } as const;

/** How far an exercise is. */
export function standOf({ begun, left }: Pick<ExerciseState, 'begun' | 'left'>): keyof typeof tones {
  if (begun === undefined) return 'new';
  return left.length === 0 ? 'done' : 'begun';
}

interface ExercisePartProps {
  readonly state: ExerciseState;
  readonly unfolded: boolean;
  readonly onUnfold: () => void;
}

/** One exercise: its name and how far it is; unfolded, its task, what is left to do, a hint and the way back. */
export function ExercisePart({ state, unfolded, onUnfold }: ExercisePartProps) {
  const body = useId();
  const stand = standOf(state);
  const { name } = words.tasks[state.exercise];
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
          <ToneDot tone={tones[stand]} label={words.states[stand]} />
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
  const [hinted, setHinted] = useState(false);
  const { exercise, records, left } = state;
  const { name, task, hint } = words.tasks[exercise];
  const begin = useBegin(() => announce(words.begun(name)));
  const colleague = useColleague(() => announce(words.saved));
  const stand = standOf(state);
  const [{ title, patient } = { title: '', patient: '' }] = records;
  const failed = begin.error ?? colleague.error;
  return (
    <>
      <p>{task({ title, patient, count: records.length })}</p>
      {stand === 'done' && <p role="status">{words.done}</p>}
      {stand === 'begun' && (
        <>
          <h4>{words.left}</h4>
          <ul className={styles.left}>
            {left.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {hinted && <p className={styles.hint}>{hint}</p>}
      <div className={styles.row}>
        <Button
          variant={stand === 'new' ? 'filled' : 'default'}
          title={words.beginHint}
          aria-label={stand === 'new' ? words.beginOf(name) : words.againOf(name)}
          loading={begin.isPending}
          onClick={() => begin.mutate(exercise)}
        >
          {stand === 'new' ? words.begin : words.again}
        </Button>
        {exercise === 'conflict' && stand !== 'new' && (
          <Button loading={colleague.isPending} onClick={() => colleague.mutate()}>
            {words.colleague}
          </Button>
        )}
        <Button variant="subtle" aria-expanded={hinted} onClick={() => setHinted(!hinted)}>
          {hinted ? words.noHint : words.hint}
        </Button>
      </div>
      {hinted && stand !== 'new' && <Records records={records} />}
      {failed && <FailureMessage title={words.notBegun} failure={toFailure(failed)} />}
    </>
  );
}

/** The records that an exercise is about. */
function Records({ records }: Pick<ExerciseState, 'records'>) {
  const { openRecord } = useWorkbenchActions();
  return (
    <>
      <h4>{records.length === 1 ? words.about : words.aboutMany}</h4>
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
