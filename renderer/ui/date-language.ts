import type { DateLanguage } from '../../core/app/preferences.ts';
import { createStore, useStore } from './store.ts';

/** In which language days and times are written. A component that shows some follows it by {@link useDates}, or by the present. */
export const dateLanguage = createStore<DateLanguage>('iso');

type Form = Intl.DateTimeFormatOptions;

/** Days with a month in letters where numbers alone would be read two ways. */
const worded: Form = { day: 'numeric', month: 'short', year: 'numeric' };
const numbers: Form = { day: '2-digit', month: '2-digit', year: 'numeric' };

const days: Readonly<Record<DateLanguage, readonly [locale: string, form: Form]>> = {
  // Swedish dates and times are ISO 8601's: 2026-01-03 14:02.
  iso: ['sv', numbers],
  'en-GB': ['en-GB', worded],
  'en-US': ['en-US', worded],
  de: ['de', numbers],
  fr: ['fr', numbers],
  es: ['es', numbers],
  it: ['it', numbers],
  nl: ['nl', numbers],
};

/** What a time can be cut to, in a language that writes a day so. */
const forms = {
  year: (): Form => ({ year: 'numeric' }),
  month: ({ month }: Form): Form => ({ month, year: 'numeric' }),
  day: (day: Form): Form => day,
  minute: (): Form => ({ timeStyle: 'short' }),
  second: (): Form => ({ timeStyle: 'medium' }),
  exact: (): Form => ({ dateStyle: 'medium', timeStyle: 'long' }),
};

const made = new Map<string, Intl.DateTimeFormat>();

/** The formatter of the language that was chosen; `utc` where a day is no local one. */
export function dateFormat(
  precision: keyof typeof forms,
  { utc = false, language = dateLanguage.get() }: { utc?: boolean; language?: DateLanguage } = {},
): Intl.DateTimeFormat {
  const key = `${language} ${precision} ${utc}`;
  const known = made.get(key);
  if (known) return known;
  const [locale, day] = days[language];
  // An exact time has its month in letters: it stands in tooltips, where there is room.
  const spoken = language === 'iso' && precision === 'exact' ? 'en-GB' : locale;
  const format = new Intl.DateTimeFormat(spoken, {
    ...forms[precision](day),
    ...(utc && { timeZone: 'UTC' }),
  });
  made.set(key, format);
  return format;
}

/** Draws a component anew when dates are to be written in another language. */
export function useDates(): void {
  useStore(dateLanguage);
}
