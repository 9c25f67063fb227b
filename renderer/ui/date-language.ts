import type { DateLanguage } from '../../core/app/preferences.ts';
import { createStore, useStore } from './store.ts';

/** Language of dates and times. A component that shows them uses {@link useDates} or the present. */
export const dateLanguage = createStore<DateLanguage>('iso');

type Form = Intl.DateTimeFormatOptions;

/** Day with the month in letters, for languages in which numbers are ambiguous. */
const wordedForm: Form = { day: 'numeric', month: 'short', year: 'numeric' };
const numericForm: Form = { day: '2-digit', month: '2-digit', year: 'numeric' };

const dayForms: Readonly<Record<DateLanguage, readonly [locale: string, form: Form]>> = {
  // Swedish dates and times look like ISO 8601: 2026-01-03 14:02.
  iso: ['sv', numericForm],
  'en-GB': ['en-GB', wordedForm],
  'en-US': ['en-US', wordedForm],
  de: ['de', numericForm],
  fr: ['fr', numericForm],
  es: ['es', numericForm],
  it: ['it', numericForm],
  nl: ['nl', numericForm],
};

/** Format options by precision. A language defines the format of a day. */
const forms = {
  year: (): Form => ({ year: 'numeric' }),
  month: ({ month }: Form): Form => ({ month, year: 'numeric' }),
  day: (day: Form): Form => day,
  minute: (): Form => ({ timeStyle: 'short' }),
  second: (): Form => ({ timeStyle: 'medium' }),
  exact: (): Form => ({ dateStyle: 'medium', timeStyle: 'long' }),
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the formatter of the selected language. `utc` formats a day that is not local. */
export function dateFormat(
  precision: keyof typeof forms,
  { utc = false, language = dateLanguage.get() }: { utc?: boolean; language?: DateLanguage } = {},
): Intl.DateTimeFormat {
  const key = `${language} ${precision} ${utc}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const [locale, day] = dayForms[language];
  // An exact time has its month in letters, because tooltips have room for it.
  const formatLocale = language === 'iso' && precision === 'exact' ? 'en-GB' : locale;
  const format = new Intl.DateTimeFormat(formatLocale, {
    ...forms[precision](day),
    ...(utc && { timeZone: 'UTC' }),
  });
  formatters.set(key, format);
  return format;
}

/** Renders a component again when the language of dates changes. */
export function useDates(): void {
  useStore(dateLanguage);
}
