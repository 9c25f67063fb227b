import { Button, Group, Modal, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { SignInCode } from '../../../core/app/sign-in.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './access.module.css';
import { useNewLink } from './use-sessions.ts';

const words = text.sessions.link;

/** A new sign-in link, this once. Mounted while it is open: closing it forgets the link. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<SignInCode>();
  const making = useNewLink(setMade);
  const failure = making.isError ? toFailure(making.error) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size={560}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      centered
    >
      <div className={styles.form}>
        {failure &&
          (failure.status === 404 ? (
            <p>{text.failure.notOffered(words.offer)}.</p>
          ) : (
            <FailureMessage title={words.failed} failure={failure} onRetry={() => making.mutate()} />
          ))}
        {made ? <MadeLink made={made} /> : !failure && <p role="status">{words.making}</p>}
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.close}</Button>
        </Group>
      </div>
    </Modal>
  );
}

function MadeLink({ made: { link, expires } }: { readonly made: SignInCode }) {
  const copy = useCopy();
  return (
    <>
      <p className={styles.once}>
        {words.once} {words.expires(exactTime(expires))}
      </p>
      <div className={styles.tokenRow}>
        <TextInput
          label={words.field}
          classNames={{ input: 'mono' }}
          value={link}
          readOnly
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          variant="filled"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => copy(link, words.copied, words.notCopied)}
        >
          {words.copy}
        </Button>
      </div>
    </>
  );
}
