import { Button, Group, Modal } from '@mantine/core';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useClearActivity } from './use-activity.ts';

interface ClearDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks before the log is emptied. */
export function ClearDialog({ opened, onClose }: ClearDialogProps) {
  const announce = useAnnounce();
  const clear = useClearActivity((count) => {
    announce(text.activity.cleared(count));
    onClose();
  });
  return (
    <Modal opened={opened} onClose={onClose} title={text.activity.clearTitle} size={440} centered>
      <p>{text.activity.clearDetail}</p>
      {clear.isError && <FailureMessage title={text.activity.clearFailed} failure={toFailure(clear.error)} />}
      <Group justify="flex-end" mt="md" gap="sm">
        <Button onClick={onClose} data-autofocus>
          {text.activity.keep}
        </Button>
        <Button color="red" variant="outline" loading={clear.isPending} onClick={() => clear.mutate()}>
          {text.activity.clearConfirm}
        </Button>
      </Group>
    </Modal>
  );
}
