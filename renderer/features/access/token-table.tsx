import { Button } from '@mantine/core';
import { fullScope } from '../../../core/app/scopes.ts';
import { tokenState, type TokenState, type TokenSummary } from '../../../core/app/tokens.ts';
import { usePresent } from '../../ui/present.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import styles from './access.module.css';

const messages = text.access;

const tones: Readonly<Record<TokenState, Tone>> = { active: 'good', expired: 'neutral', revoked: 'danger' };

interface TokenTableProps {
  readonly tokens: readonly TokenSummary[];
  readonly onRevoke: (token: TokenSummary) => void;
}

/** The token of the owner, then the created tokens, latest first. */
export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  return (
    <table className={`${table.table} ${styles.tokens}`} aria-label={messages.name}>
      <TableHead columns={Object.values(messages.columns)} />
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
      <th scope="row" title={messages.ownerHint}>
        {messages.owner} {current && <span className={styles.mark}>{messages.thisPage}</span>}
      </th>
      <td className="mono">{fullScope}</td>
      <td />
      <td>{messages.ownerExpires}</td>
      <td />
      <td>
        <ToneDot tone="good" label={messages.states.active} />
      </td>
      <td className="dim">{messages.ownerKept}</td>
    </tr>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: TokenSummary } & Pick<TokenTableProps, 'onRevoke'>) {
  const state = tokenState(token, usePresent());
  const { name, scopes, created, expires, lastUsed, current } = token;
  return (
    <tr data-state={state}>
      <th scope="row" title={name}>
        {name} {current && <span className={styles.mark}>{messages.thisPage}</span>}
      </th>
      <td className="mono">{scopes.join(' ')}</td>
      <td>
        <RelativeTime instant={created} />
      </td>
      <td>
        {expires === undefined ? (
          messages.untilRevoked
        ) : (
          <time dateTime={expires} title={exactTime(expires)}>
            {localTime(expires)}
          </time>
        )}
      </td>
      <td>{lastUsed === undefined ? messages.never : <RelativeTime instant={lastUsed} />}</td>
      <td>
        <ToneDot tone={tones[state]} label={messages.states[state]} />
      </td>
      <td>
        {state === 'active' && (
          <Button aria-label={messages.revoke(name)} onClick={() => onRevoke(token)}>
            {messages.revokeShort}
          </Button>
        )}
      </td>
    </tr>
  );
}
