import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { themes, type Theme } from '../../../core/app/models.ts';
import { usePreferences } from '../../platform/app-queries.ts';
import { text } from '../../ui/text.ts';

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };

/** Keeps the colour scheme and the preference in step; the workspace database has the last word on start. */
export function useTheme(): { theme: Theme; choose: (theme: Theme) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { preferences, loaded, save } = usePreferences();
  const taken = useRef(false);
  useEffect(() => {
    if (!loaded || taken.current) return;
    taken.current = true;
    setColorScheme(preferences.theme);
  }, [loaded, preferences.theme, setColorScheme]);
  return {
    theme: colorScheme,
    choose: (theme) => {
      taken.current = true;
      setColorScheme(theme);
      save({ ...preferences, theme });
    },
  };
}

/** The switch between light, dark and what the system says. */
export function ThemeMenu({ theme, choose }: ReturnType<typeof useTheme>) {
  const Icon = icons[theme];
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <Tooltip label={text.frame.themeNow(theme)}>
          <ActionIcon aria-label={text.frame.theme}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={theme}
          onChange={(value) => {
            const chosen = themes.find((one) => one === value);
            if (chosen) choose(chosen);
          }}
        >
          {themes.map((one) => {
            const ItemIcon = icons[one];
            return (
              <Menu.RadioItem key={one} value={one} rightSection={<ItemIcon size={16} />}>
                {text.frame.themes[one]}
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
