import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SignInScreen, type SignInFaceProps } from '../features/connections/sign-in-screen.tsx';
import { session } from '../platform/session.ts';
import { openIdAddress } from '../platform/sign-in.ts';
import { Question } from '../ui/question.tsx';
import { useStore } from '../ui/store.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { ConnectionHost } from './connection-host.tsx';
import { LockScreen } from './lock-screen.tsx';
import { Providers } from './providers.tsx';
import { Workbench } from './workbench.tsx';

const messages = text.otherSession;

/** The page: providers, and access before anything else. */
export function App() {
  return (
    <Providers>
      <AccessGate />
      <LockScreen />
    </Providers>
  );
}

/** Shows the sign-in screen if there is no session. The workbench stays mounted under it. */
function AccessGate() {
  const { phase, token, fault, otherSession } = useStore(session);
  const [hasSignedIn, setHasSignedIn] = useState(phase === 'in');
  if (phase === 'in' && !hasSignedIn) setHasSignedIn(true);
  // On the first load, the code of a link is exchanged before anything is rendered.
  const needsSignIn = phase === 'out' || (phase === 'entering' && hasSignedIn) || fault !== undefined;

  return (
    <>
      {hasSignedIn && (
        <div className={styles.behind} inert={phase !== 'in'}>
          <ConnectionHost>
            <RefetchOnNewToken token={token} />
            <Workbench />
          </ConnectionHost>
        </div>
      )}
      {phase === 'asked' && otherSession && (
        <Question
          title={messages.title(otherSession.name)}
          confirm={messages.become(otherSession.name)}
          keep={messages.stay}
          onConfirm={() => session.answer(true)}
          onKeep={() => session.answer(false)}
        >
          <p>{messages.what(otherSession.name)}</p>
          {otherSession.currentName !== '' && <p>{messages.own(otherSession.currentName)}</p>}
        </Question>
      )}
      {phase !== 'in' && needsSignIn && (
        <div className={styles.access}>
          <SignIn keepsWork={hasSignedIn} busy={phase === 'entering'} fault={fault} />
        </div>
      )}
    </>
  );
}

function SignIn(screenProps: Pick<SignInFaceProps, 'keepsWork' | 'busy' | 'fault'>) {
  /** Sign-in address of the OpenID provider; undefined without one, or until the server has answered. */
  const [provider, setProvider] = useState<string>();
  useEffect(() => {
    // Without an answer, the field for a link is enough.
    void openIdAddress().then(setProvider, () => undefined);
  }, []);
  return (
    <SignInScreen {...screenProps} provider={provider} onSignIn={(pasted) => void session.signIn(pasted)} />
  );
}

/** Refetches all queries after the token has changed. */
function RefetchOnNewToken({ token }: { readonly token: string | undefined }) {
  const queries = useQueryClient();
  const [initialToken] = useState(token);
  useEffect(() => {
    if (token !== initialToken) void queries.invalidateQueries();
  }, [queries, token, initialToken]);
  return null;
}
