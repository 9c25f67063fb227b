import { Question } from '../../ui/question.tsx';
import { text } from '../../ui/text.ts';

interface RemoveConnectionProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

/** Asks before a connection and what was kept for it are removed. */
export function RemoveConnection({ name, onClose, onRemove }: RemoveConnectionProps) {
  return (
    <Question
      title={text.connection.removeTitle(name)}
      confirm={text.connection.remove}
      keep={text.connection.keep}
      onConfirm={onRemove}
      onKeep={onClose}
      zIndex={400}
    >
      <p>{text.connection.removeDetail}</p>
    </Question>
  );
}
