import { Button, Modal } from '@mantine/core';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

/** Something that would lose the edits of a record, waiting for a decision. */
export interface Discard {
  readonly title: string;
  readonly proceed: () => void;
}

interface DiscardDialogProps {
  readonly discard: Discard | undefined;
  readonly onClose: () => void;
}

/** Asks before edits are lost; to keep them is what Enter and Escape do. */
export function DiscardDialog({ discard, onClose }: DiscardDialogProps) {
  return (
    <Modal
      opened={discard !== undefined}
      onClose={onClose}
      title={text.discard.title}
      size={520}
      centered
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <p>{text.discard.detail(discard?.title ?? '')}</p>
      <div className={styles.dialogFoot}>
        <Button
          color="red"
          variant="outline"
          className={styles.shrink ?? ''}
          onClick={() => {
            // First, since what proceeds may ask the next question.
            onClose();
            discard?.proceed();
          }}
        >
          {text.discard.confirm(discard?.title ?? '')}
        </Button>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {text.discard.keep}
        </Button>
      </div>
    </Modal>
  );
}
