import { Button, PasswordInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import styles from './connections.module.css';

export interface SignInFaceProps {
  /** True if unsaved work waits behind the screen. */
  readonly keepsWork: boolean;
  readonly busy: boolean;
  /** Error of the last attempt. */
  readonly fault: unknown;
  /** Sign-in URL of the OpenID provider; undefined if there is none. */
  readonly provider: string | undefined;
  readonly onSignIn: (pasted: string) => void;
}

/** Screen of a page without access: explains where to find a link and accepts a pasted link. */
export function SignInScreen({ keepsWork, busy, fault, provider, onSignIn }: SignInFaceProps) {
  const [pasted, setPasted] = useState('');
  const messages = text.signIn;
  return (
    <main className={styles.tokenFace}>
      <form
        className={frame.card}
        onSubmit={(event) => {
          event.preventDefault();
          if (pasted.trim() !== '') onSignIn(pasted);
        }}
      >
        <h1>
          <IconKey size={18} aria-hidden /> {messages.title}
        </h1>
        {fault !== undefined && <FailureMessage title={messages.failed} failure={toFailure(fault)} />}
        {provider !== undefined && (
          <>
            <p>{messages.atProvider}</p>
            <Button component="a" href={provider} variant="filled">
              {messages.provider}
            </Button>
          </>
        )}
        <p>{provider === undefined ? messages.where : messages.orLink}</p>
        {keepsWork && <p>{messages.kept}</p>}
        <PasswordInput
          label={messages.field}
          value={pasted}
          autoComplete="off"
          data-autofocus={provider === undefined}
          autoFocus={provider === undefined}
          onChange={({ currentTarget }) => setPasted(currentTarget.value)}
        />
        <Button
          type="submit"
          variant={provider === undefined ? 'filled' : 'default'}
          loading={busy}
          disabled={pasted.trim() === ''}
        >
          {messages.use}
        </Button>
      </form>
    </main>
  );
}
