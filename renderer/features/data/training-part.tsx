import { Button } from '@mantine/core';
import type { TrainingState } from '../../../core/app/training.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useNoteJob } from '../../platform/note-job.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Answered } from '../../ui/answered.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { DefectList } from './defect-list.tsx';
import { ResetPart } from './reset-part.tsx';
import { useLoadSet, useTrainingState } from './use-training.ts';
import { WardPart } from './ward-part.tsx';

const words = text.data.training;

/** Training data: the sets, the busy ward, what is planted, and back to nothing. */
export function TrainingPart({ front }: { readonly front: boolean }) {
  return (
    <Answered query={useTrainingState(front)} failed={words.failed}>
      {(state) => (
        <div className={styles.column}>
          <h2>{words.heading}</h2>
          <p>{words.what(state.seed)}</p>
          <SetTable state={state} />
          <PracticeDoor />
          <WardPart state={state} />
          <DefectList loaded={(state.sets.find(({ set }) => set === 'migration')?.loaded ?? 0) > 0} />
          <ResetPart state={state} />
        </div>
      )}
    </Answered>
  );
}

/** The exercises stand beside every view. */
function PracticeDoor() {
  const [shown, show] = usePreference('practice');
  return (
    <section className={styles.section} aria-label={text.practice.name}>
      <h3>{text.practice.name}</h3>
      <p>{text.practice.what}</p>
      <div className={styles.row}>
        <Button onClick={() => show(!shown)}>{shown ? text.practice.close : text.practice.open}</Button>
      </div>
    </section>
  );
}

function SetTable({ state }: { readonly state: TrainingState }) {
  const announce = useAnnounce();
  const noteJob = useNoteJob();
  const load = useLoadSet((set, { stored, unchanged }) => {
    const note = words.loadedNow(words.sets[set].name, stored, unchanged);
    announce(note);
    noteJob({ kind: 'training', note, counts: { stored, unchanged } });
  });
  const { columns, sets } = words;
  // One action stands out: the first set that is not there yet.
  const next = state.sets.find(({ loaded, records }) => loaded < records)?.set;
  return (
    <>
      <table className={styles.table} aria-label={words.heading}>
        <TableHead
          columns={[columns.set, columns.about, [columns.loaded, styles.number]]}
          action={columns.action}
        />
        <tbody>
          {state.sets.map(({ set, records, loaded }) => (
            <tr key={set}>
              <th scope="row">{sets[set].name}</th>
              <td className={styles.about}>{sets[set].about}</td>
              <td className={styles.number}>{words.loaded(loaded, records)}</td>
              <td className={styles.number}>
                <Button
                  fullWidth
                  variant={set === next ? 'filled' : 'default'}
                  loading={load.isPending && load.variables === set}
                  disabled={load.isPending && load.variables !== set}
                  onClick={() => load.mutate(set)}
                >
                  {words.load(sets[set].name)}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <RequestFailure title={words.notLoaded} of={load} />
    </>
  );
}
