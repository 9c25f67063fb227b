import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Loss } from '../../../core/app/losses.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import frame from '../../ui/view.module.css';
import styles from './damage.module.css';
import { useLosses, useReadLoss } from './use-damage.ts';

const words = text.losses;

/** Above every room: that saved changes are missing, a line for each time, until the steward has read it. */
export function LossStrip() {
  const losses = useLosses();
  if (losses.length === 0) return null;
  return (
    <section className={styles.losses} role="alert" aria-label={words.name}>
      {losses.map((loss) => (
        <LossLine key={loss.id} loss={loss} />
      ))}
    </section>
  );
}

function LossLine({ loss }: { readonly loss: Loss }) {
  const { openView } = useWorkbenchActions();
  const read = useReadLoss();
  const { atLeast, cause, noticed } = loss;
  return (
    <div className={`${frame.strip} ${styles.loss}`}>
      <IconAlertTriangle size={16} aria-hidden />
      <p>
        <strong>{words.atLeast(atLeast)}</strong> {cause}{' '}
        <span className="dim">
          {words.noticed}{' '}
          <time dateTime={noticed} title={exactTime(noticed)}>
            {localTime(noticed)}
          </time>
        </span>
        {read.isError && ` ${words.notRead} ${toFailure(read.error).sentences.join(' ')}`}
      </p>
      <Button onClick={() => openView('backups')}>{words.show}</Button>
      <Button loading={read.isPending} onClick={() => read.mutate(loss)}>
        {words.read}
      </Button>
    </div>
  );
}
