import { Button, Group, Modal } from '@mantine/core';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { tokenState, type TokenSummary, type TokenState } from '../../../core/app/tokens.ts';
import { SkeletonRows } from '../../ui/query-state.tsx';
import { RequestFailure, FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { SessionPart } from './session-part.tsx';
import { useTokens, useNewLink, useEnd } from './use-access.ts';
import styles from './access.module.css';
import frame from '../../ui/view.module.css';
import type { SignInCode } from '../../../core/app/sign-in.ts';
import { toFailure } from '../../ui/failure.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { OnceField } from './one-time-secret-field.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { fullScope } from '../../../core/app/scopes.ts';
import { usePresent } from '../../ui/present.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';

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

const messages = text.sessions.link;

/** A new sign-in link, shown once. Closing the dialog drops the link. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const [link, setLink] = useState<SignInCode>();
  const creation = useNewLink(setLink);
  const failure = creation.isError ? toFailure(creation.error) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.title}
      size={560}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      centered
    >
      <div className={styles.form}>
        {failure &&
          (failure.status === 404 ? (
            <p>{text.failure.notOffered(messages.offer)}</p>
          ) : (
            <FailureMessage title={messages.failed} failure={failure} onRetry={() => creation.mutate()} />
          ))}
        {link && (
          <>
            <p className={styles.once}>
              {messages.once} {messages.expires(exactTime(link.expires))}
            </p>
            <OnceField label={messages.field} value={link.link} words={messages} />
          </>
        )}
        {!link && !failure && <p role="status">{messages.making}</p>}
        <Group justify="flex-end">
          <Button onClick={onClose}>{messages.close}</Button>
        </Group>
      </div>
    </Modal>
  );
}

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

const tokenMessages = text.access;

const tones: Readonly<Record<TokenState, Tone>> = { active: 'good', expired: 'neutral', revoked: 'danger' };

interface TokenTableProps {
  readonly tokens: readonly TokenSummary[];
  readonly onRevoke: (token: TokenSummary) => void;
}

/** The token of the owner, then the created tokens, latest first. */
export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  return (
    <table className={`${table.table} ${styles.tokens}`} aria-label={tokenMessages.name}>
      <TableHead columns={Object.values(tokenMessages.columns)} />
      <tbody>
        <OwnerRow current={!tokens.some(({ current }) => current)} />
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={onRevoke} />
        ))}
      </tbody>
    </table>
  );
}

function OwnerRow({ current }: { readonly current: boolean }) {
  return (
    <tr>
      <th scope="row" title={tokenMessages.ownerHint}>
        {tokenMessages.owner} {current && <span className={styles.mark}>{tokenMessages.thisPage}</span>}
      </th>
      <td className="mono">{fullScope}</td>
      <td />
      <td>{tokenMessages.ownerExpires}</td>
      <td />
      <td>
        <ToneDot tone="good" label={tokenMessages.states.active} />
      </td>
      <td className="dim">{tokenMessages.ownerKept}</td>
    </tr>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: TokenSummary } & Pick<TokenTableProps, 'onRevoke'>) {
  const state = tokenState(token, usePresent());
  const { name, scopes, created, expires, lastUsed, current } = token;
  return (
    <tr data-state={state}>
      <th scope="row" title={name}>
        {name} {current && <span className={styles.mark}>{tokenMessages.thisPage}</span>}
      </th>
      <td className="mono">{scopes.join(' ')}</td>
      <td>
        <RelativeTime instant={created} />
      </td>
      <td>
        {expires === undefined ? (
          tokenMessages.untilRevoked
        ) : (
          <time dateTime={expires} title={exactTime(expires)}>
            {localTime(expires)}
          </time>
        )}
      </td>
      <td>{lastUsed === undefined ? tokenMessages.never : <RelativeTime instant={lastUsed} />}</td>
      <td>
        <ToneDot tone={tones[state]} label={tokenMessages.states[state]} />
      </td>
      <td>
        {state === 'active' && (
          <Button aria-label={tokenMessages.revoke(name)} onClick={() => onRevoke(token)}>
            {tokenMessages.revokeShort}
          </Button>
        )}
      </td>
    </tr>
  );
}
