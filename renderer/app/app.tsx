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

const words = text.otherSession;

/** The page: providers, and access before anything else. */
export function App() {
  return (
    <Providers>
      <Access />
      <LockScreen />
    </Providers>
  );
}

/** Asks for a link where one is needed; what is open stays mounted behind the question. */
function Access() {
  const { phase, token, fault, otherSession: other } = useStore(session);
  const [begun, setBegun] = useState(phase === 'in');
  if (phase === 'in' && !begun) setBegun(true);
  // A link that was opened is exchanged before anything is drawn.
  const asks = phase === 'out' || (phase === 'entering' && begun) || fault !== undefined;

  return (
    <>
      {begun && (
        <div className={styles.behind} inert={phase !== 'in'}>
          <ConnectionHost>
            <Renewed token={token} />
            <Workbench />
          </ConnectionHost>
        </div>
      )}
      {phase === 'asked' && other && (
        <Question
          title={words.title(other.name)}
          confirm={words.become(other.name)}
          keep={words.stay}
          onConfirm={() => session.answer(true)}
          onKeep={() => session.answer(false)}
        >
          <p>{words.what(other.name)}</p>
          {other.currentName !== '' && <p>{words.own(other.currentName)}</p>}
        </Question>
      )}
      {phase !== 'in' && asks && (
        <div className={styles.access}>
          <Asked keepsWork={begun} busy={phase === 'entering'} fault={fault} />
        </div>
      )}
    </>
  );
}

function Asked(face: Pick<SignInFaceProps, 'keepsWork' | 'busy' | 'fault'>) {
  /** Where a sign-in at the organisation's provider begins; undefined where the server has none, or has not said yet. */
  const [provider, setProvider] = useState<string>();
  useEffect(() => {
    // Where the server does not answer the field for a link is there all the same.
    void openIdAddress().then(setProvider, () => undefined);
  }, []);
  return <SignInScreen {...face} provider={provider} onSignIn={(pasted) => void session.signIn(pasted)} />;
}

/** Reads everything anew with a new token. */
function Renewed({ token }: { readonly token: string | undefined }) {
  const queries = useQueryClient();
  const [first] = useState(token);
  useEffect(() => {
    if (token !== first) void queries.invalidateQueries();
  }, [queries, token, first]);
  return null;
}
