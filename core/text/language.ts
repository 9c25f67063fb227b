/** Language of all messages (BCP 47). */
export const language = 'en-US';

const numberFormat = new Intl.NumberFormat(language);
const percentFormat = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const pluralRules = new Intl.PluralRules(language);

/** Returns a count with thousands separators: `2,036`. */
export function formatCount(count: number): string {
  return numberFormat.format(count);
}

/** Returns a share as a percentage: `formatPercent(0.915)` is `91.5%`. */
export function formatPercent(share: number): string {
  return percentFormat.format(share);
}

/** Returns a number with its unit in words: `1 day`, `3 months`. */
export function formatUnit(
  count: number,
  unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year',
): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A whole message for each plural category of the language. `{n}` stands for the formatted count. */
export type PluralForms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/**
 * Returns the message of a count's plural category, with placeholders filled.
 *
 * @param parameters - Values of further placeholders, such as `{total}`.
 */
export function formatPlural(count: number, forms: PluralForms, parameters: MessageParameters = {}): string {
  const form = forms[pluralRules.select(count)] ?? forms.other;
  return fillPlaceholders(form, { ...parameters, n: count });
}

/** Values of placeholders by name. Numbers are formatted as counts. */
export type MessageParameters = Readonly<Record<string, string | number>>;

/** Replaces `{name}` by its value. A placeholder without a value stays unchanged. */
export function fillPlaceholders(template: string, parameters: MessageParameters): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined) return placeholder;
    return typeof value === 'number' ? formatCount(value) : value;
  });
}

// Creating a format takes longer than formatting a list.
const listFormats = {
  conjunction: new Intl.ListFormat(language, { type: 'conjunction' }),
  disjunction: new Intl.ListFormat(language, { type: 'disjunction' }),
  unit: new Intl.ListFormat(language, { type: 'unit', style: 'short' }),
};

/** Returns a list in words: `a, b, and c` (conjunction), `a, b, or c` (disjunction), `a, b, c` (unit). */
export function formatList(items: readonly string[], type: keyof typeof listFormats = 'conjunction'): string {
  return listFormats[type].format(items);
}
