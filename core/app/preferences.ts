/**
 * What the workbench remembers for its user: a name, which values are known, and what holds until the user chooses.
 * `GET /app/preferences` answers all of them; `PUT` takes those that change, and the others stay.
 */
import * as v from 'valibot';
import { is, members, type Shape } from '../json/shape.ts';
import { inspectorTabs, inspectorWidth } from './inspector-tabs.ts';
import { isResultColumnLayout, usualColumns, type ResultColumnLayout } from './result-columns.ts';

export const themes = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const { least, usual, most } = inspectorWidth;

/** Preferences to change: known names alone, each with a known value. */
export const PreferenceChange = v.pipe(
  members,
  v.strictObject({
    theme: v.exactOptional(v.picklist(themes)),
    density: v.exactOptional(v.picklist(densities)),
    /** Whether the left panel is shown. */
    sidePanel: v.exactOptional(v.boolean()),
    /** The inspector beside the editor: whether it is shown, its tab and its width in CSS pixels. */
    inspector: v.exactOptional(v.boolean()),
    inspectorTab: v.exactOptional(v.picklist(inspectorTabs)),
    inspectorWidth: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))),
    /** Whether the editor breaks long lines. */
    wordWrap: v.exactOptional(v.boolean()),
    /** Columns of the results: which are shown, and how wide. */
    searchColumns: v.exactOptional(v.custom<ResultColumnLayout>(isResultColumnLayout)),
  }),
);
export type PreferenceChange = Shape<typeof PreferenceChange>;
export type Preferences = Required<PreferenceChange>;
export type PreferenceName = keyof Preferences;

export const defaultPreferences: Preferences = {
  theme: 'auto',
  density: 'compact',
  sidePanel: true,
  inspector: true,
  inspectorTab: 'summary',
  inspectorWidth: usual,
  wordWrap: false,
  searchColumns: usualColumns,
};

/** All preferences out of what was kept: a value that is missing, or no longer known, is the default. */
export function readPreferences(kept: unknown): Preferences {
  const known = Object.entries(is(members, kept) ? kept : {}).filter(([name, value]) =>
    is(PreferenceChange, { [name]: value }),
  );
  return { ...defaultPreferences, ...Object.fromEntries(known) };
}
