import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './ui.module.css';

interface QuestionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What goes on, and what cannot be undone then. */
  readonly confirm: string;
  readonly keep: string;
  readonly onConfirm: () => void;
  /** Also called where the dialog is closed: nothing is done then. */
  readonly onKeep: () => void;
  readonly busy?: boolean;
  /** Whether it cannot be confirmed yet. */
  readonly disabled?: boolean;
  /** Above another layer of the page. */
  readonly zIndex?: number;
}

/** Asks before something is lost; to keep it is what Enter and Escape do. */
export function Question(props: QuestionProps) {
  const { title, children, confirm, keep, onConfirm, onKeep, busy = false, disabled = false, zIndex } = props;
  return (
    <Modal
      opened
      onClose={onKeep}
      title={title}
      size={520}
      centered
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
      {...(zIndex !== undefined && { zIndex })}
    >
      <div className={styles.question}>{children}</div>
      <div className={styles.questionFoot}>
        <Button color="red" variant="outline" loading={busy} disabled={disabled} onClick={onConfirm}>
          {confirm}
        </Button>
        <Button variant="filled" data-autofocus onClick={onKeep}>
          {keep}
        </Button>
      </div>
    </Modal>
  );
}
