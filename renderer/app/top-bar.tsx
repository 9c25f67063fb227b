import {
  IconHelp,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
  IconBook2,
  IconInfoCircle,
  IconSettings,
  IconUser,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDeviceDesktop,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { memo } from 'react';
import { ConnectionSwitcher } from '../features/connections/connection-switcher.tsx';
import { useRunCommand, useCommandHandlers } from '../platform/commands.ts';
import { useConnection } from '../platform/connection.ts';
import { isMac } from '../platform/desktop.ts';
import { usePreference } from '../platform/preferences.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useStore } from '../ui/store.ts';
import { userKeys, keysOf } from '../ui/keys.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { Menu } from '@mantine/core';
import { initialsOf } from '../../core/app/people.ts';
import { nobody, usePeople, usePerson, useCurrentPerson } from '../platform/people.ts';
import { densities, themes } from '../../core/app/preferences.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { useDisplay } from './use-display.ts';

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };
const densityIcons = { comfortable: IconBaselineDensityMedium, compact: IconBaselineDensitySmall };

/** Menu for the theme (light, dark or as the system) and the row height. */
export function DisplayMenu() {
  const announce = useAnnounce();
  const { theme, density, selectTheme, selectDensity } = useDisplay();
  useCommandHandlers({
    'view.theme': () => {
      const next = theme === 'dark' ? 'light' : 'dark';
      selectTheme(next);
      announce(text.frame.themeNow(text.frame.themes[next]));
    },
    'view.density': () => {
      const next = density === 'compact' ? 'comfortable' : 'compact';
      selectDensity(next);
      announce(text.frame.densityNow(text.frame.densities[next]));
    },
  });
  const Icon = icons[theme];
  return (
    <Menu position="bottom-end" width={180} closeOnItemClick={false}>
      <Menu.Target>
        <IconButton label={text.frame.display}>
          <Icon size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Choice
          label={text.frame.theme}
          names={text.frame.themes}
          iconsByValue={icons}
          values={themes}
          value={theme}
          onSelect={selectTheme}
        />
        <Menu.Divider />
        <Choice
          label={text.frame.density}
          names={text.frame.densities}
          iconsByValue={densityIcons}
          values={densities}
          value={density}
          onSelect={selectDensity}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly names: Readonly<Record<T, string>>;
  readonly iconsByValue: Readonly<Record<T, typeof IconSun>>;
  readonly values: readonly T[];
  readonly value: T;
  readonly onSelect: (value: T) => void;
}

function Choice<T extends string>({ label, names, iconsByValue, values, value, onSelect }: ChoiceProps<T>) {
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup
        value={value}
        onChange={(selectedValue) => {
          const match = values.find((option) => option === selectedValue);
          if (match !== undefined) onSelect(match);
        }}
      >
        {values.map((option) => {
          const Icon: typeof IconSun = iconsByValue[option];
          return (
            <Menu.RadioItem key={option} value={option} rightSection={<Icon size={16} aria-hidden />}>
              {names[option]}
            </Menu.RadioItem>
          );
        })}
      </Menu.RadioGroup>
    </>
  );
}

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
