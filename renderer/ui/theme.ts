import {
  ActionIcon,
  Button,
  createTheme,
  Input,
  Menu,
  Modal,
  Skeleton,
  Tooltip,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
} from '@mantine/core';
import { themes } from '../../core/app/preferences.ts';
import { text } from './text.ts';
import { tokens, type Tokens } from './tokens.ts';

const monospace =
  'ui-monospace, "SF Mono", SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';

/** Mantine's theme: dense controls of 26 px, radius 4, 13 px system font, transitions under 120 ms. */
export const theme = createTheme({
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: monospace,
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '14px', xl: '16px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.5', xl: '1.5' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  defaultRadius: 4,
  cursorType: 'pointer',
  respectReducedMotion: true,
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 7 },
  colors: {
    accent: [
      '#eef4fd',
      '#dfe9fa',
      '#bcd2f5',
      '#8fb4ee',
      '#6ea0ea',
      '#2f6fdb',
      tokens.light.accent,
      tokens.dark.accent,
      '#1a55b8',
      '#143f8a',
    ],
  },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs', variant: 'default' },
      vars: () => ({
        root: { '--button-height': '26px', '--button-padding-x': '10px', '--button-fz': '13px' },
      }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', color: 'gray', size: 24 },
    }),
    Input: Input.extend({
      defaultProps: { size: 'xs' },
      vars: () => ({ wrapper: { '--input-height': '26px', '--input-fz': '13px' }, input: {} }),
    }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        openDelay: 350,
        transitionProps: { duration: 80 },
        multiline: true,
        maw: 320,
        withinPortal: true,
        events: { hover: true, focus: true, touch: false },
      },
    }),
    Menu: Menu.extend({
      // The placeholder would be an invalid child of the menu. The first item takes the focus.
      defaultProps: { transitionProps: { duration: 80 }, shadow: 'sm', withInitialFocusPlaceholder: false },
    }),
    // The frame has the only banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': text.dialog.close },
        transitionProps: { duration: 100, transition: 'fade' },
        overlayProps: { opacity: 0.45 },
      },
      styles: { title: { fontWeight: 600 } },
    }),
    Skeleton: Skeleton.extend({ defaultProps: { radius: 3 } }),
  },
});

function variables(themeTokens: Tokens): Record<string, string> {
  const tokenVariables = Object.fromEntries(
    Object.entries(themeTokens).map(([name, value]) => [
      `--ck-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]),
  );
  return {
    ...tokenVariables,
    '--mantine-color-body': themeTokens.content,
    '--mantine-color-text': themeTokens.text,
    '--mantine-color-dimmed': themeTokens.dim,
    '--mantine-color-placeholder': themeTokens.faint,
    '--mantine-color-error': themeTokens.danger,
    '--mantine-color-red-outline': themeTokens.danger,
    '--mantine-color-red-outline-hover': `${themeTokens.danger}14`,
    '--mantine-color-default': themeTokens.content,
    '--mantine-color-default-hover': themeTokens.raised,
    '--mantine-color-default-color': themeTokens.text,
    '--mantine-color-default-border': themeTokens.borderStrong,
    '--mantine-color-disabled': themeTokens.panel,
    '--mantine-color-disabled-color': themeTokens.faint,
    '--mantine-color-disabled-border': themeTokens.border,
    '--mantine-color-accent-light-color': themeTokens.accentText,
    '--mantine-color-accent-light-hover': themeTokens.raised,
    '--mantine-color-gray-light-color': themeTokens.dim,
    '--mantine-color-gray-light-hover': themeTokens.raised,
  };
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variables(tokens.light),
  dark: {
    ...variables(tokens.dark),
    // Mantine's own grays of the dark theme, for example in menus.
    '--mantine-color-dark-4': tokens.dark.border,
    '--mantine-color-dark-5': tokens.dark.raised,
    '--mantine-color-dark-6': tokens.dark.content,
    '--mantine-color-dark-7': tokens.dark.content,
    '--mantine-color-dark-8': tokens.dark.panel,
  },
});

const storageKey = 'chartkeeper.theme';

/**
 * Stores the theme for this browser tab, so that a reload does not flash. The workspace database stores it
 * permanently.
 */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (fallback) => {
    const storedTheme = sessionStorage.getItem(storageKey);
    return themes.find((candidate) => candidate === storedTheme) ?? fallback;
  },
  set: (value) => sessionStorage.setItem(storageKey, value),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => sessionStorage.removeItem(storageKey),
};
