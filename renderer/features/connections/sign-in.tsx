import { Anchor, Button, Loader } from '@mantine/core';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import type { OpenDialog } from './use-connection-dialog.ts';

const messages = text.connection;

/** State of the sign-in, with buttons to sign in or out. */
export function SignIn({ dialog }: { readonly dialog: OpenDialog }) {
  const { savedConnection, address, busy } = dialog;
  const access = savedConnection?.access;
  return (
    <div className={styles.signIn} role="status">
      {access === 'signing-in' && (
        <>
          <Loader size={14} />
          <p>{messages.signingIn}</p>
          {address !== undefined && (
            <Anchor href={address} target="_blank" rel="noopener noreferrer">
              {messages.signInAgain}
            </Anchor>
          )}
        </>
      )}
      {access === 'ready' && (
        <>
          <p>{messages.signedIn}</p>
          <Button onClick={() => void dialog.signOut()}>{messages.signOut}</Button>
        </>
      )}
      {access !== 'ready' && access !== 'signing-in' && (
        <>
          <p>{savedConnection?.accessFault ?? messages.signedOut}</p>
          <Button loading={busy} onClick={() => void dialog.signIn()}>
            {messages.signIn}
          </Button>
        </>
      )}
    </div>
  );
}
