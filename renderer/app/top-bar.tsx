import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import type { Overview } from '../../core/app/models.ts';
import { ConnectionBadge } from '../features/connections/connection-bar.tsx';
import { ThemeMenu, type useTheme } from '../features/connections/theme-menu.tsx';
import { useConnection } from '../platform/connection.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

interface TopBarProps {
  readonly overview: Overview | undefined;
  readonly theme: ReturnType<typeof useTheme>;
  readonly onHelp: () => void;
}

/** The upper edge in the connection's colour: where the work goes, what is there, theme and help. */
export function TopBar({ overview, theme, onHelp }: TopBarProps) {
  const { color } = useConnection();
  return (
    <header className={styles.top} style={{ borderTopColor: color }}>
      <ConnectionBadge overview={overview} />
      <div className={styles.topEnd}>
        <ThemeMenu {...theme} />
        <Tooltip label={text.frame.help}>
          <ActionIcon aria-label={text.frame.help} onClick={onHelp}>
            <IconHelp size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  );
}
