import { Button } from '@mantine/core';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { TokenSummary } from '../../../core/app/tokens.ts';
import { SkeletonRows } from '../../ui/query-state.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { LinkDialog } from './link-dialog.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SessionPart } from './session-part.tsx';
import { TokenTable } from './token-table.tsx';
import { useTokens } from './use-access.ts';
import styles from './access.module.css';
import frame from '../../ui/view.module.css';

/** Access part of Trust: tokens and signed-in sessions of this server. */
export function AccessView({ isActive }: { readonly isActive: boolean }) {
  const tokens = useTokens(isActive);
  const [isLinkOpen, setLinkOpen] = useState(false);
  const [isFormOpen, setFormOpen] = useState(false);
  const [tokenToRevoke, setTokenToRevoke] = useState<TokenSummary>();
  const messages = text.access;
  return (
    <div className={frame.view}>
      <div className={frame.spread}>
        <p className="dim">{messages.lead}</p>
        <div className={styles.actions}>
          <Button leftSection={<IconLink size={14} aria-hidden />} onClick={() => setLinkOpen(true)}>
            {text.sessions.link.start}
          </Button>
          <Button
            variant="filled"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setFormOpen(true)}
          >
            {messages.mint}
          </Button>
        </div>
      </div>
      <div className={frame.panel}>
        {tokens.isPending && <SkeletonRows count={5} />}
        <RequestFailure hasPadding title={messages.failed} query={tokens} />
        {tokens.isSuccess && <TokenTable tokens={tokens.data} onRevoke={setTokenToRevoke} />}
        {tokens.isSuccess && tokens.data.length === 0 && (
          <div className={styles.padded}>
            <h2>{messages.empty}</h2>
            <p className="dim">{messages.emptyDetail}</p>
          </div>
        )}
        <SessionPart isActive={isActive} />
      </div>
      {isLinkOpen && <LinkDialog onClose={() => setLinkOpen(false)} />}
      {isFormOpen && <CreateTokenDialog onClose={() => setFormOpen(false)} />}
      {tokenToRevoke && <RevokeDialog token={tokenToRevoke} onClose={() => setTokenToRevoke(undefined)} />}
    </div>
  );
}
