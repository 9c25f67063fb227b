import { MantineProvider } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { createStatusStore, StatusContext } from '../ui/status-store.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from '../ui/theme.ts';

/** Providers of the page: theme, colors and status line. */
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
