import { MantineProvider } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { TokenFace } from '../features/connections/token-face.tsx';
import { session } from '../platform/session.ts';
import { createStatusStore, StatusContext } from '../ui/status-store.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from '../ui/theme.ts';
import styles from './app.module.css';
import { ConnectionHost } from './connection-host.tsx';
import { LockFace } from './lock-face.tsx';
import { Workbench } from './workbench.tsx';

/** The page: providers, and access before anything else. */
export function App() {
  const [status] = useState(createStatusStore);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <StatusContext value={status}>
        <Access />
        <LockFace />
      </StatusContext>
    </MantineProvider>
  );
}

/** Asks for a token where one is needed; what is open stays mounted behind the question. */
function Access() {
  const needed = useSyncExternalStore(session.subscribe, session.tokenNeeded);
  const [begun, setBegun] = useState(!needed);
  const [tokens, setTokens] = useState(0);

  function accept(token: string) {
    session.accept(token);
    setBegun(true);
    setTokens((count) => count + 1);
  }

  return (
    <>
      {begun && (
        <div className={styles.behind} inert={needed}>
          <ConnectionHost>
            <Renewed tokens={tokens} />
            <Workbench />
          </ConnectionHost>
        </div>
      )}
      {needed && (
        <div className={styles.access}>
          <TokenFace keepsWork={begun} onToken={accept} />
        </div>
      )}
    </>
  );
}

/** Reads everything anew with a new token. */
function Renewed({ tokens }: { readonly tokens: number }) {
  const queries = useQueryClient();
  useEffect(() => {
    if (tokens > 0) void queries.invalidateQueries();
  }, [queries, tokens]);
  return null;
}
