import { Anchor, Button, Loader } from '@mantine/core';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

const words = text.connection;

interface SignInProps {
  /** As it is kept; undefined while it is new. */
  readonly connection: ConnectionSummary | undefined;
  /** Where the sign-in that was started is. */
  readonly address: string | undefined;
  readonly busy: boolean;
  readonly onSignIn: () => void;
  readonly onSignOut: () => void;
}

/** How the sign-in stands, and the way in or out. */
export function SignIn({ connection, address, busy, onSignIn, onSignOut }: SignInProps) {
  const access = connection?.access;
  return (
    <div className={styles.signIn} role="status">
      {access === 'signing-in' && (
        <>
          <Loader size={14} />
          <p>{words.signingIn}</p>
          {address !== undefined && (
            <Anchor href={address} target="_blank" rel="noopener noreferrer">
              {words.signInAgain}
            </Anchor>
          )}
        </>
      )}
      {access === 'ready' && (
        <>
          <p>{words.signedIn}</p>
          <Button onClick={onSignOut}>{words.signOut}</Button>
        </>
      )}
      {access !== 'ready' && access !== 'signing-in' && (
        <>
          <p>{connection?.accessFault ?? words.signedOut}</p>
          <Button loading={busy} onClick={onSignIn}>
            {words.signIn}
          </Button>
        </>
      )}
    </div>
  );
}
