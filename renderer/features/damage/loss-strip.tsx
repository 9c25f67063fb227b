import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Loss } from '../../../core/app/losses.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import frame from '../../ui/view.module.css';
import styles from './damage.module.css';
import { useLosses, useReadLoss } from './use-damage.ts';

const messages = text.losses;

/** Banner above every view for lost changes, with a line for each loss until the user has read it. */
export function LossBanner() {
  const losses = useLosses();
  if (losses.length === 0) return null;
  return (
    <section className={styles.losses} role="alert" aria-label={messages.name}>
      {losses.map((loss) => (
        <LossLine key={loss.id} loss={loss} />
      ))}
    </section>
  );
}

function LossLine({ loss }: { readonly loss: Loss }) {
  const { openView } = useWorkbenchActions();
  const markAsRead = useReadLoss();
  const { atLeast, cause, noticed: noticedTime } = loss;
  return (
    <div className={`${frame.strip} ${styles.loss}`}>
      <IconAlertTriangle size={16} aria-hidden />
      <p>
        <strong>{messages.atLeast(atLeast)}</strong> {cause}{' '}
        <span className="dim">
          <MessageNodes
            message={messages.noticed}
            nodes={{
              time: (
                <time dateTime={noticedTime} title={exactTime(noticedTime)}>
                  {localTime(noticedTime)}
                </time>
              ),
            }}
          />
        </span>
        {markAsRead.isError && ` ${messages.notRead} ${toFailure(markAsRead.error).sentences.join(' ')}`}
      </p>
      <Button onClick={() => openView('backups')}>{messages.show}</Button>
      <Button loading={markAsRead.isPending} onClick={() => markAsRead.mutate(loss)}>
        {messages.read}
      </Button>
    </div>
  );
}
