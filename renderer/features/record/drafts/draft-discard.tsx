import { Button, Modal } from '@mantine/core';
import type { DraftSummary } from '../../../../core/app/drafts.ts';
import { text } from '../../../ui/text.ts';
import styles from './drafts.module.css';
import { draftTime } from './draft-time.ts';

interface DraftDiscardProps {
  readonly draft: DraftSummary;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

/** Asks before a draft is removed; to keep it is what Enter and Escape do. */
export function DraftDiscard({ draft: { title, saved }, onClose, onDiscard }: DraftDiscardProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.drafts.discardTitle}
      size={520}
      centered
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <p>{text.drafts.discardDetail(title, draftTime(saved))}</p>
      <div className={styles.foot}>
        <Button color="red" variant="outline" className={styles.shrink ?? ''} onClick={onDiscard}>
          {text.drafts.discardConfirm(title)}
        </Button>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {text.drafts.discardKeep}
        </Button>
      </div>
    </Modal>
  );
}
