import { Menu } from '@mantine/core';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDeviceDesktop,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { densities, themes } from '../../core/app/preferences.ts';
import { useCommandHandlers } from '../platform/commands.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
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
