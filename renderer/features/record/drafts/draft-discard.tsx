import type { DraftSummary } from '../../../../core/app/drafts.ts';
import { Question } from '../../../ui/question.tsx';
import { text } from '../../../ui/text.ts';
import { clockTime } from '../../../ui/time.ts';

interface DraftDiscardProps {
  readonly draft: DraftSummary;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

/** Asks before a draft is removed. */
export function DraftDiscard({ draft: { title, saved }, onClose, onDiscard }: DraftDiscardProps) {
  return (
    <Question
      title={text.drafts.discardTitle}
      confirm={text.drafts.discardConfirm(title)}
      keep={text.drafts.discardKeep}
      onConfirm={onDiscard}
      onKeep={onClose}
    >
      <p>{text.drafts.discardDetail(title, clockTime(saved))}</p>
    </Question>
  );
}
