import { Button, PasswordInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import styles from './connections.module.css';

export interface SignInFaceProps {
  /** Something is open behind this face and waits. */
  readonly keepsWork: boolean;
  readonly busy: boolean;
  /** What the last try threw. */
  readonly fault: unknown;
  /** Where a sign-in at the organisation's provider begins; undefined where there is none. */
  readonly provider: string | undefined;
  readonly onSignIn: (pasted: string) => void;
}

/** The face of a page without access: where a link is found, and a field to paste it into. */
export function SignInFace({ keepsWork, busy, fault, provider, onSignIn }: SignInFaceProps) {
  const [pasted, setPasted] = useState('');
  const words = text.signIn;
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
          <IconKey size={18} aria-hidden /> {words.title}
        </h1>
        {fault !== undefined && <FailureMessage title={words.failed} failure={toFailure(fault)} />}
        {provider !== undefined && (
          <>
            <p>{words.atProvider}</p>
            <Button component="a" href={provider} variant="filled">
              {words.provider}
            </Button>
          </>
        )}
        <p>{provider === undefined ? words.where : words.orLink}</p>
        {keepsWork && <p>{words.kept}</p>}
        <PasswordInput
          label={words.field}
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
          {words.use}
        </Button>
      </form>
    </main>
  );
}
