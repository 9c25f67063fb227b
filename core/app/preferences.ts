/**
 * What the workbench remembers for its user, as one table: a name, what holds until the user chooses, and which values
 * are known. `GET /app/preferences` answers all of them; `PUT` takes those that change, and the others stay.
 */
import { inspectorTabs, type InspectorTab } from './inspector-tabs.ts';
import { isPlainJson, type PlainJson } from './plain-json.ts';

export const themes = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

interface Preference<T> {
  readonly fallback: T;
  readonly known: (value: unknown) => value is T;
}

function oneOf<T extends string>(values: readonly T[], fallback: T): Preference<T> {
  return { fallback, known: (value): value is T => values.some((one) => one === value) };
}

/** What the page alone understands, such as a layout; null where the user has chosen none. The page minds its bounds. */
const opaque: Preference<PlainJson> = { fallback: null, known: isPlainJson };

function flag(fallback: boolean): Preference<boolean> {
  return { fallback, known: (value): value is boolean => typeof value === 'boolean' };
}

const preferenceTable = {
  theme: oneOf<Theme>(themes, 'auto'),
  density: oneOf<Density>(densities, 'compact'),
  /** Whether the left panel is shown. */
  sidePanel: flag(true),
  /** The inspector beside the editor: whether it is shown, its tab and its width. */
  inspector: flag(true),
  inspectorTab: oneOf<InspectorTab>(inspectorTabs, 'summary'),
  inspectorWidth: opaque,
  /** Whether the editor breaks long lines. */
  wordWrap: flag(false),
  /** Columns of the results: which are shown, in which order and how wide. */
  searchColumns: opaque,
} as const;

export type PreferenceName = keyof typeof preferenceTable;

export type Preferences = {
  readonly [K in PreferenceName]: (typeof preferenceTable)[K] extends Preference<infer T> ? T : never;
};

const names = Object.keys(preferenceTable) as PreferenceName[];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All preferences out of what was kept: a value that is missing, or no longer known, is the table's own. */
export function readPreferences(kept: unknown): Preferences {
  const values = names.map((name) => {
    const { fallback, known } = preferenceTable[name];
    const value = isObject(kept) ? kept[name] : undefined;
    return [name, known(value) ? value : fallback];
  });
  return Object.fromEntries(values) as Preferences;
}

export const defaultPreferences: Preferences = readPreferences({});

/** Whether a value holds preferences to change: known names alone, each with a known value. */
export function isPreferenceChange(value: unknown): value is Partial<Preferences> {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, one]) => {
    const known = names.find((candidate) => candidate === name);
    return known !== undefined && preferenceTable[known].known(one);
  });
}
