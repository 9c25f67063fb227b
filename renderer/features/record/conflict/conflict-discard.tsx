import { Question } from '../../../ui/question.tsx';
import { text } from '../../../ui/text.ts';

interface ConflictDiscardProps {
  readonly title: string;
  readonly version: number | undefined;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

/** Asks before the steward's own changes go. */
export function ConflictDiscard({ title, version, onClose, onDiscard }: ConflictDiscardProps) {
  return (
    <Question
      title={text.conflict.discardTitle}
      confirm={text.conflict.discardConfirm}
      keep={text.conflict.discardKeep}
      onConfirm={onDiscard}
      onKeep={onClose}
    >
      <p>{text.conflict.discardDetail(title, version)}</p>
    </Question>
  );
}
