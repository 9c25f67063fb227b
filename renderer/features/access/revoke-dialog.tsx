import { Button, Group, Modal } from '@mantine/core';
import type { TokenSummary } from '../../../core/app/tokens.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useRevokeToken } from './use-tokens.ts';

interface RevokeDialogProps {
  readonly token: TokenSummary;
  readonly onClose: () => void;
}

/** Asks before a token is revoked, naming it. */
export function RevokeDialog({ token, onClose }: RevokeDialogProps) {
  const words = text.access;
  const announce = useAnnounce();
  const revoke = useRevokeToken(() => {
    announce(words.revoked(token.name));
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={words.revokeTitle(token.name)} size={440} centered>
      <p>{words.revokeDetail}</p>
      {token.current && <p>{words.revokeOwn}</p>}
      {revoke.isError && <FailureMessage title={words.revokeFailed} failure={toFailure(revoke.error)} />}
      <Group justify="flex-end" mt="md" gap="sm">
        <Button onClick={onClose} data-autofocus>
          {words.keep(token.name)}
        </Button>
        <Button
          color="red"
          variant="outline"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(token.id)}
        >
          {words.revoke(token.name)}
        </Button>
      </Group>
    </Modal>
  );
}
