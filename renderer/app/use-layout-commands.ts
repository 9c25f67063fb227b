import { useLayoutEffect } from 'react';
import { draftPause } from '../features/record/drafts/drafts-context.ts';
import { useCommandHandlers } from '../platform/commands.ts';
import { usePreference, usePreferences } from '../platform/preferences.ts';
import { dateLanguage } from '../ui/date-language.ts';
import { userKeys } from '../ui/keys.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';

/** Installs the commands that show panels and wrap long lines, for all tabs. */
export function useLayoutCommands(): void {
  const announce = useAnnounce();
  const [side, setSide] = usePreference('sidePanel');
  const [inspector, setInspector] = usePreference('inspector');
  const [wrap, setWrap] = usePreference('wordWrap');
  const [practice, setPractice] = usePreference('practice');
  const { frame } = text;
  useCommandHandlers({
    'view.sidePanel': () => {
      setSide(!side);
      announce(side ? frame.sideHidden : frame.sideShown);
    },
    'view.inspector': () => {
      setInspector(!inspector);
      announce(inspector ? frame.inspectorHidden : frame.inspectorShown);
    },
    'view.practice': () => {
      setPractice(!practice);
      announce(practice ? frame.practiceHidden : frame.practiceShown);
    },
    'record.wrap': () => {
      setWrap(!wrap);
      announce(wrap ? frame.unwrapped : frame.wrapped);
    },
  });
}

/** Passes the settings to the stores outside React. */
export function useAppliedPreferences(): void {
  const { preferences } = usePreferences();
  const { keys, draftPause: pause, dateLanguage: language } = preferences;
  useLayoutEffect(() => userKeys.set(keys), [keys]);
  useLayoutEffect(() => draftPause.set(pause), [pause]);
  useLayoutEffect(() => dateLanguage.set(language), [language]);
}
