import { Button } from '@mantine/core';
import type { TrainingState } from '../../../core/app/training.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useLogJob } from '../../platform/note-job.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { QueryContent } from '../../ui/query-state.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { DefectList } from './defect-list.tsx';
import { ResetPart } from './reset-part.tsx';
import { useLoadSet, useTrainingState } from './use-training.ts';
import { WardPart } from './ward-part.tsx';

const messages = text.data.training;

/** Training data: record sets, the busy ward, seeded defects and the reset. */
export function TrainingPart({ isActive }: { readonly isActive: boolean }) {
  return (
    <QueryContent query={useTrainingState(isActive)} failureTitle={messages.listFailed}>
      {(state) => (
        <div className={styles.column}>
          <h2>{messages.heading}</h2>
          <p>{messages.description(state.seed)}</p>
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
  // One primary action: the first set that is not loaded yet.
  const next = state.sets.find(({ loaded, records }) => loaded < records)?.set;
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
                  variant={set === next ? 'filled' : 'default'}
                  loading={load.isPending && load.variables === set}
                  disabled={load.isPending && load.variables !== set}
                  onClick={() => load.mutate(set)}
                >
                  {sets[set].load}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <RequestFailure title={messages.loadFailed} query={load} />
    </>
  );
}
