import { MantineProvider } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { createStatusStore, StatusContext } from '../ui/status-store.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from '../ui/theme.ts';

/** What every part of the page stands in: theme, colours, the status line. */
export function Providers({ children }: { readonly children: ReactNode }) {
  const [status] = useState(createStatusStore);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <StatusContext value={status}>{children}</StatusContext>
    </MantineProvider>
  );
}
