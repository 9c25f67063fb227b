import { Button, Modal } from '@mantine/core';
import { text } from '../../../ui/text.ts';
import styles from './conflict.module.css';

interface ConflictDiscardProps {
  readonly title: string;
  readonly version: number | undefined;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

/** Asks before the steward's own changes go; to keep them is what Enter and Escape do. */
export function ConflictDiscard({ title, version, onClose, onDiscard }: ConflictDiscardProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.conflict.discardTitle}
      size={520}
      centered
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <p>{text.conflict.discardDetail(title, version)}</p>
      <div className={styles.askFoot}>
        <Button color="red" variant="outline" onClick={onDiscard}>
          {text.conflict.discardConfirm}
        </Button>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {text.conflict.discardKeep}
        </Button>
      </div>
    </Modal>
  );
}
