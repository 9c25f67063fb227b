import {
  IconHelp,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react';
import { memo } from 'react';
import { ConnectionSwitcher } from '../features/connections/connection-switcher.tsx';
import { useRunCommand } from '../platform/commands.ts';
import { useConnection } from '../platform/connection.ts';
import { isMac } from '../platform/desktop.ts';
import { usePreference } from '../platform/preferences.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useStore } from '../ui/store.ts';
import { userKeys, keysOf } from '../ui/keys.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { DisplayMenu } from './display-menu.tsx';
import { PersonMenu } from './person-menu.tsx';

/** Top bar in the color of the connection: side panel, connection, palette, display, help and person. */
export const TopBar = memo(function TopBar() {
  const run = useRunCommand();
  const [sideShown] = usePreference('sidePanel');
  const { color } = useConnection();
  useStore(userKeys);
  const SideIcon = sideShown ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  const sideLabel = sideShown ? text.frame.hideSide : text.frame.showSide;
  return (
    <header className={styles.top} style={{ borderTopColor: color }} data-region="top">
      <div className={styles.topStart}>
        <IconButton
          label={sideLabel}
          hint={`${sideLabel} (${keysOf('view.sidePanel', isMac) ?? ''})`}
          aria-expanded={sideShown}
          onClick={() => run('view.sidePanel')}
        >
          <SideIcon size={16} />
        </IconButton>
        <ConnectionSwitcher />
      </div>
      <button
        type="button"
        className={styles.launch}
        onClick={() => run('app.palette')}
        aria-haspopup="dialog"
      >
        <IconSearch size={14} aria-hidden />
        <span>{text.frame.launch}</span>
        <kbd aria-hidden>{keysOf('app.palette', isMac)?.replace('+', ' ')}</kbd>
      </button>
      <div className={styles.topEnd}>
        <DisplayMenu />
        <IconButton
          label={text.frame.help}
          hint={`${text.frame.help} (${keysOf('app.help', isMac) ?? ''})`}
          onClick={() => run('app.help')}
        >
          <IconHelp size={16} />
        </IconButton>
        <PersonMenu />
      </div>
    </header>
  );
});
