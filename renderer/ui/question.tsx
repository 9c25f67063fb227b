import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './ui.module.css';

interface QuestionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Label of the action that can't be undone. */
  readonly confirm: string;
  readonly keep: string;
  readonly onConfirm: () => void;
  /** Also called when the dialog is closed. */
  readonly onKeep: () => void;
  readonly busy?: boolean;
  /** True if the action can't be confirmed yet. */
  readonly disabled?: boolean;
  /** Stacking order above another layer. */
  readonly zIndex?: number;
}

/** Confirmation dialog before a loss. Enter and Escape keep the current state. */
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
