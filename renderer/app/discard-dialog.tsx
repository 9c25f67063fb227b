import { Question } from '../ui/question.tsx';
import { text } from '../ui/text.ts';

/** Something that would lose the edits of a record, waiting for a decision. */
export interface Discard {
  readonly title: string;
  readonly proceed: () => void;
}

interface DiscardDialogProps {
  readonly discard: Discard | undefined;
  readonly onClose: () => void;
}

/** Asks before edits are lost. */
export function DiscardDialog({ discard, onClose }: DiscardDialogProps) {
  if (!discard) return null;
  return (
    <Question
      title={text.discard.title}
      confirm={text.discard.confirm(discard.title)}
      keep={text.discard.keep}
      onConfirm={() => {
        // First, since what proceeds may ask the next question.
        onClose();
        discard.proceed();
      }}
      onKeep={onClose}
    >
      <p>{text.discard.detail(discard.title)}</p>
    </Question>
  );
}
