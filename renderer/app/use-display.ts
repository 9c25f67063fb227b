import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Density, Theme } from '../../core/app/preferences.ts';
import { rowHeights, usePreferences } from '../platform/preferences.ts';

/** Synchronizes theme and density with the preferences. On start, the stored preferences win. */
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
  // All tables use this row height.
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--row-height', `${rowHeights[density]}px`);
  }, [density]);
  return {
    theme: colorScheme,
    density,
    selectTheme: (newTheme: Theme) => {
      isThemeApplied.current = true;
      setColorScheme(newTheme);
      change({ theme: newTheme });
    },
    selectDensity: (newDensity: Density) => change({ density: newDensity }),
  };
}
