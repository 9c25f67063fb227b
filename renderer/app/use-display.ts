import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Density, Theme } from '../../core/app/preferences.ts';
import { rowHeights, usePreferences } from '../platform/preferences.ts';

/** Theme and density: keeps the page and the preferences in step; the workspace database has the last word on start. */
export function useDisplay() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { preferences, loaded, change } = usePreferences();
  const { theme, density } = preferences;
  const isThemeApplied = useRef(false);
  useEffect(() => {
    if (!loaded || isThemeApplied.current) return;
    isThemeApplied.current = true;
    setColorScheme(theme);
  }, [loaded, theme, setColorScheme]);
  // Every table has its row height from here.
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--row-height', `${rowHeights[density]}px`);
  }, [density]);
  return {
    theme: colorScheme,
    density,
    chooseTheme: (newTheme: Theme) => {
      isThemeApplied.current = true;
      setColorScheme(newTheme);
      change({ theme: newTheme });
    },
    chooseDensity: (newDensity: Density) => change({ density: newDensity }),
  };
}
