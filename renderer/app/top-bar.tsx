import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconHelp,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react';
import { memo } from 'react';
import type { Overview } from '../../core/app/models.ts';
import type { ConnectionSummary } from '../../core/app/connections.ts';
import { ConnectionSwitcher } from '../features/connections/connection-switcher.tsx';
import { useConnection } from '../platform/connection.ts';
import { isMac } from '../platform/desktop.ts';
import { keysOf } from '../ui/keys.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { DisplayMenu } from './display-menu.tsx';
import type { Display } from './use-display.ts';

interface TopBarProps {
  readonly overview: Overview | undefined;
  readonly display: Display;
  readonly sideShown: boolean;
  readonly onSide: () => void;
  readonly onLaunch: () => void;
  readonly onHelp: () => void;
  /** Opens the dialog of a connection, or of a new one. */
  readonly onConnection: (connection: ConnectionSummary | undefined) => void;
}

/** The upper edge in the connection's colour: where the work goes, what is there, the palette, display and help. */
export const TopBar = memo(function TopBar({
  overview,
  display,
  sideShown,
  onSide,
  onLaunch,
  onHelp,
  onConnection,
}: TopBarProps) {
  const { color } = useConnection();
  const SideIcon = sideShown ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  const sideLabel = sideShown ? text.frame.hideSide : text.frame.showSide;
  return (
    <header className={styles.top} style={{ borderTopColor: color }} data-region="top">
      <div className={styles.topStart}>
        <Tooltip label={`${sideLabel} (${keysOf('view.sidePanel', isMac) ?? ''})`}>
          <ActionIcon aria-label={sideLabel} aria-expanded={sideShown} onClick={onSide}>
            <SideIcon size={16} />
          </ActionIcon>
        </Tooltip>
        <ConnectionSwitcher overview={overview} onEdit={onConnection} />
      </div>
      <button type="button" className={styles.launch} onClick={onLaunch} aria-haspopup="dialog">
        <IconSearch size={14} aria-hidden />
        <span>{text.frame.launch}</span>
        <kbd aria-hidden>{keysOf('app.palette', isMac)?.replace('+', ' ')}</kbd>
      </button>
      <div className={styles.topEnd}>
        <DisplayMenu {...display} />
        <Tooltip label={`${text.frame.help} (${keysOf('app.help', isMac) ?? ''})`}>
          <ActionIcon aria-label={text.frame.help} onClick={onHelp}>
            <IconHelp size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  );
});
