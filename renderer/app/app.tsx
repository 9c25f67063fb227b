import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { TokenFace } from '../features/connections/token-face.tsx';
import { ConnectionContext, localConnection } from '../platform/connection.ts';
import { queryClient } from '../platform/query-client.ts';
import { session } from '../platform/session.ts';
import { createStatusStore, StatusContext } from '../ui/status-store.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from '../ui/theme.ts';
import styles from './app.module.css';
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
      <QueryClientProvider client={queryClient}>
        <ConnectionContext value={localConnection}>
          <StatusContext value={status}>
            <Access />
            <LockFace />
          </StatusContext>
        </ConnectionContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Asks for a token where one is needed; what is open stays mounted behind the question. */
function Access() {
  const queries = useQueryClient();
  const needed = useSyncExternalStore(session.subscribe, session.tokenNeeded);
  const [begun, setBegun] = useState(!needed);

  function accept(token: string) {
    session.accept(token);
    setBegun(true);
    void queries.invalidateQueries();
  }

  return (
    <>
      {begun && (
        <div className={styles.behind} inert={needed}>
          <Workbench />
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
