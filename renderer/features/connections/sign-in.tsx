import { Anchor, Button, Loader } from '@mantine/core';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import type { OpenDialog } from './use-connection-dialog.ts';

const words = text.connection;

/** State of the sign-in, with buttons to sign in or out. */
export function SignIn({ dialog }: { readonly dialog: OpenDialog }) {
  const { kept: connection, address, busy } = dialog;
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
          <Button onClick={() => void dialog.signOut()}>{words.signOut}</Button>
        </>
      )}
      {access !== 'ready' && access !== 'signing-in' && (
        <>
          <p>{connection?.accessFault ?? words.signedOut}</p>
          <Button loading={busy} onClick={() => void dialog.signIn()}>
            {words.signIn}
          </Button>
        </>
      )}
    </div>
  );
}
