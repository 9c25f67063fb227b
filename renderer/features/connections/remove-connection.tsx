import { Button, Group, Modal } from '@mantine/core';
import { text } from '../../ui/text.ts';

interface RemoveConnectionProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

/** Asks before a connection and what was kept for it are removed. */
export function RemoveConnection({ name, onClose, onRemove }: RemoveConnectionProps) {
  return (
    <Modal opened onClose={onClose} title={text.connection.removeTitle(name)} zIndex={400}>
      <p>{text.connection.removeDetail}</p>
      <Group justify="flex-end" mt={16} gap={8}>
        <Button data-autofocus onClick={onClose}>
          {text.connection.keep}
        </Button>
        <Button color="red" variant="outline" onClick={onRemove}>
          {text.connection.remove}
        </Button>
      </Group>
    </Modal>
  );
}
