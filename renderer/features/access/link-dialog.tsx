import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { SignInCode } from '../../../core/app/sign-in.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import styles from './access.module.css';
import { OnceField } from './one-time-secret-field.tsx';
import { useNewLink } from './use-access.ts';

const messages = text.sessions.link;

/** A new sign-in link, shown once. Closing the dialog drops the link. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const [link, setLink] = useState<SignInCode>();
  const creation = useNewLink(setLink);
  const failure = creation.isError ? toFailure(creation.error) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.title}
      size={560}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      centered
    >
      <div className={styles.form}>
        {failure &&
          (failure.status === 404 ? (
            <p>{text.failure.notOffered(messages.offer)}</p>
          ) : (
            <FailureMessage title={messages.failed} failure={failure} onRetry={() => creation.mutate()} />
          ))}
        {link && (
          <>
            <p className={styles.once}>
              {messages.once} {messages.expires(exactTime(link.expires))}
            </p>
            <OnceField label={messages.field} value={link.link} words={messages} />
          </>
        )}
        {!link && !failure && <p role="status">{messages.making}</p>}
        <Group justify="flex-end">
          <Button onClick={onClose}>{messages.close}</Button>
        </Group>
      </div>
    </Modal>
  );
}
