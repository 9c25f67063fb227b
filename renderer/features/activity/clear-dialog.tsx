import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useClearActivity } from './use-activity.ts';

interface ClearDialogProps {
  readonly onClose: () => void;
}

/** Asks before the log is emptied. */
export function ClearDialog({ onClose }: ClearDialogProps) {
  const announce = useAnnounce();
  const clear = useClearActivity((count) => {
    announce(text.activity.cleared(count));
    onClose();
  });
  return (
    <Question
      title={text.activity.clearTitle}
      confirm={text.activity.clearConfirm}
      keep={text.activity.keep}
      busy={clear.isPending}
      onConfirm={() => clear.mutate()}
      onKeep={onClose}
    >
      <p>{text.activity.clearDetail}</p>
      <RequestFailure title={text.activity.clearFailed} of={clear} />
    </Question>
  );
}
