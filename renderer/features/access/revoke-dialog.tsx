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
  const words = text.access;
  const announce = useAnnounce();
  const revoke = useEnd('tokens', () => {
    announce(words.revoked(token.name));
    onClose();
  });
  return (
    <Question
      title={words.revokeTitle(token.name)}
      confirm={words.revoke(token.name)}
      keep={words.keep}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(token.id)}
      onKeep={onClose}
    >
      <p>{words.revokeDetail}</p>
      {token.current && <p>{words.revokeOwn}</p>}
      <RequestFailure title={words.revokeFailed} query={revoke} />
    </Question>
  );
}
