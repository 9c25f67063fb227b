/**
 * Exercises next to the page. Mounted by the frame. Remembers the open exercise; all other state is on the server.
 */
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Exercise, PracticeState } from '../../../core/app/practice.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreference } from '../../platform/preferences.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { text } from '../../ui/text.ts';
import { ExercisePart, getProgress } from './exercise-part.tsx';
import styles from './practice.module.css';
import { usePracticeState } from './use-practice.ts';

const messages = text.practice;

/** Panel of the exercises. The current exercise is open. */
export function PracticePanel() {
  const [, show] = usePreference('practice');
  const { remote } = useConnection();
  const query = usePracticeState(remote === undefined);
  return (
    <aside className={styles.panel} aria-label={messages.name} data-region="practice">
      <header className={styles.head}>
        <h2>{messages.name}</h2>
        <ActionIcon size={24} aria-label={messages.close} title={messages.close} onClick={() => show(false)}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      <div className={styles.body}>
        {remote ? (
          <p>{messages.local}</p>
        ) : (
          <QueryContent query={query} failureTitle={messages.failed}>
            {(state) => <Exercises state={state} />}
          </QueryContent>
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
