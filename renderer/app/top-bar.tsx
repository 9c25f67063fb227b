import {
  IconHelp,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
  IconBook2,
  IconInfoCircle,
  IconSettings,
  IconUser,
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
import { Menu } from '@mantine/core';
import { initialsOf } from '../../core/app/people.ts';
import { nobody, usePeople, usePerson, useCurrentPerson } from '../platform/people.ts';

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

/** Button with the initials of the current person; its menu has the other people, Settings, Guide and About. */
function PersonMenu() {
  const run = useRunCommand();
  const people = usePeople().data?.people ?? [];
  const person = usePerson();
  const { value, choose } = useCurrentPerson();
  const hint = person ? text.people.you(person.name) : text.people.nobody;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <IconButton
          label={person ? text.people.youByInitials(initialsOf(person.name), person.name) : hint}
          hint={hint}
          className={styles.person ?? ''}
          data-named={person && true}
        >
          {person ? <span aria-hidden>{initialsOf(person.name)}</span> : <IconUser size={16} />}
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.people.menu}</Menu.Label>
        <Menu.RadioGroup value={value} onChange={choose}>
          {people.map((listedPerson) => (
            <Menu.RadioItem key={listedPerson.id} value={listedPerson.id}>
              {listedPerson.name}
            </Menu.RadioItem>
          ))}
          <Menu.RadioItem value={nobody}>{text.people.none}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={() => run('app.settings')}>
          {text.people.settings}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook2 size={16} aria-hidden />} onClick={() => run('app.guide')}>
          {text.people.guide}
        </Menu.Item>
        <Menu.Item leftSection={<IconInfoCircle size={16} aria-hidden />} onClick={() => run('app.about')}>
          {text.people.about}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
