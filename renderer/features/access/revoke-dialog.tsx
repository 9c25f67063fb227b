import type { TokenSummary } from '../../../core/app/tokens.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useEnd } from './use-access.ts';

interface RevokeDialogProps {
  readonly token: TokenSummary;
  readonly onClose: () => void;
}

/** Asks before a token is revoked, by its name. */
export function RevokeDialog({ token, onClose }: RevokeDialogProps) {
  const messages = text.access;
  const announce = useAnnounce();
  const revoke = useEnd('tokens', () => {
    announce(messages.revoked(token.name));
    onClose();
  });
  return (
    <Question
      title={messages.revokeTitle(token.name)}
      confirm={messages.revoke(token.name)}
      keep={messages.keep}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(token.id)}
      onKeep={onClose}
    >
      <p>{messages.revokeDetail}</p>
      {token.current && <p>{messages.revokeOwn}</p>}
      <RequestFailure title={messages.revokeFailed} query={revoke} />
    </Question>
  );
}
