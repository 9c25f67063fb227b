import { Button, PasswordInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

interface TokenFaceProps {
  /** Something is open behind this face and waits. */
  readonly keepsWork: boolean;
  readonly onToken: (token: string) => void;
}

/** The face of a page without access: where the token is found, and a field to paste it into. */
export function TokenFace({ keepsWork, onToken }: TokenFaceProps) {
  const [token, setToken] = useState('');
  return (
    <main className={styles.tokenFace}>
      <form
        className={styles.tokenCard}
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== '') onToken(token);
        }}
      >
        <h1>
          <IconKey size={18} aria-hidden /> {text.token.title}
        </h1>
        <p>{text.token.where}</p>
        {keepsWork && <p>{text.token.kept}</p>}
        <PasswordInput
          label={text.token.field}
          value={token}
          autoComplete="off"
          data-autofocus
          autoFocus
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <Button type="submit" variant="filled" disabled={token.trim() === ''}>
          {text.token.use}
        </Button>
      </form>
    </main>
  );
}
