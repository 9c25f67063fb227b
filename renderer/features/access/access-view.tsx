import { Button } from '@mantine/core';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { TokenSummary } from '../../../core/app/tokens.ts';
import { SkeletonRows } from '../../ui/answered.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { LinkDialog } from './link-dialog.tsx';
import { MintDialog } from './mint-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SessionPart } from './session-part.tsx';
import { TokenTable } from './token-table.tsx';
import { useTokens } from './use-access.ts';
import styles from './access.module.css';
import frame from '../../ui/view.module.css';

/** The Access part of Trust: who else may use this server, by a token or signed in. */
export function AccessView({ front }: { readonly front: boolean }) {
  const tokens = useTokens(front);
  const [linking, setLinking] = useState(false);
  const [minting, setMinting] = useState(false);
  const [revoking, setRevoking] = useState<TokenSummary>();
  const words = text.access;
  return (
    <div className={frame.view}>
      <div className={frame.spread}>
        <p className="dim">{words.lead}</p>
        <div className={styles.actions}>
          <Button leftSection={<IconLink size={14} aria-hidden />} onClick={() => setLinking(true)}>
            {text.sessions.link.start}
          </Button>
          <Button
            variant="filled"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setMinting(true)}
          >
            {words.mint}
          </Button>
        </div>
      </div>
      <div className={frame.panel}>
        {tokens.isPending && <SkeletonRows count={5} />}
        <RequestFailure padded title={words.failed} of={tokens} />
        {tokens.isSuccess && <TokenTable tokens={tokens.data} onRevoke={setRevoking} />}
        {tokens.isSuccess && tokens.data.length === 0 && (
          <div className={styles.padded}>
            <h2>{words.empty}</h2>
            <p className="dim">{words.emptyDetail}</p>
          </div>
        )}
        <SessionPart front={front} />
      </div>
      {linking && <LinkDialog onClose={() => setLinking(false)} />}
      {minting && <MintDialog onClose={() => setMinting(false)} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  );
}
