import { SettingsView } from '../features/settings/settings-view.tsx';
import { useDisplay } from './use-display.ts';

/** Settings within the frame. */
export function SettingsPage() {
  const { theme, chooseTheme } = useDisplay();
  return <SettingsView theme={{ now: theme, choose: chooseTheme }} />;
}
