/** Exercises beside the page. Called by the frame; it keeps which one is unfolded, the store says the rest. */
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Exercise, PracticeState } from '../../../core/app/practice.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreference } from '../../platform/preferences.ts';
import { Answered } from '../../ui/answered.tsx';
import { text } from '../../ui/text.ts';
import { ExercisePart, standOf } from './exercise-part.tsx';
import styles from './practice.module.css';
import { usePracticeState } from './use-practice.ts';

const words = text.practice;

/** The exercises with the one that is worked on unfolded. */
export function PracticePanel() {
  const [, show] = usePreference('practice');
  const { remote } = useConnection();
  const query = usePracticeState(remote === undefined);
  return (
    <aside className={styles.panel} aria-label={words.name} data-region="practice">
      <header className={styles.head}>
        <h2>{words.name}</h2>
        <ActionIcon size={24} aria-label={words.close} title={words.close} onClick={() => show(false)}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      <div className={styles.body}>
        {remote ? (
          <p>{words.local}</p>
        ) : (
          <Answered query={query} failed={words.failed}>
            {(state) => <Exercises state={state} />}
          </Answered>
        )}
      </div>
    </aside>
  );
}

function Exercises({ state }: { readonly state: PracticeState }) {
  const [chosen, choose] = useState<Exercise>();
  const next = state.find((one) => standOf(one) !== 'done') ?? state[0];
  const unfolded = chosen ?? next?.exercise;
  const done = state.filter((one) => standOf(one) === 'done').length;
  return (
    <>
      <p className="dim">{words.progress(done, state.length)}</p>
      {state.map((one) => (
        <ExercisePart
          key={one.exercise}
          state={one}
          unfolded={one.exercise === unfolded}
          onUnfold={() => choose(one.exercise)}
        />
      ))}
    </>
  );
}
