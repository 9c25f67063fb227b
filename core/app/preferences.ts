/**
 * Preferences of a user: names, known values and defaults. `GET /app/preferences` returns all of them. `PUT`
 * replaces the given ones.
 */
import * as v from 'valibot';
import { matchesSchema, members, type Shape } from '../json/shape.ts';
import { DefaultProxy } from './connection-check.ts';
import { Thresholds } from './measures.ts';
import { ChosenProfiles } from './profiles.ts';

export const themes = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** Format of dates and times: ISO 8601 or the format of a language. */
export const dateLanguages = ['iso', 'en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl'] as const;
export type DateLanguage = (typeof dateLanguages)[number];

/** Tabs of the inspector beside the editor, in order. */
export const inspectorTabs = ['summary', 'issues', 'history'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** Views of an open record, in order of their tabs. */
export const recordViews = ['read', 'json', 'both'] as const;
export type RecordView = (typeof recordViews)[number];

export const editorFonts = [12, 13, 14, 16, 18] as const;
export const draftPauses = [500, 2000, 10_000] as const;

const maxCharacters = 4096;
const maxLevels = 4;

/**
 * Returns true if a value is JSON of limited depth and length. The server stores it without knowing its form.
 */
export function isPlainJson(value: unknown): boolean {
  return isPlain(value, maxLevels) && JSON.stringify(value).length <= maxCharacters;
}

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'object' && value !== null) {
    return levels > 0 && Object.values(value).every((item) => isPlain(item, levels - 1));
  }
  return value === null || Number.isFinite(value) || ['boolean', 'string'].includes(typeof value);
}

/**
 * Value that only the page understands, such as a layout; null for the default. The page checks its bounds.
 */
const opaque = v.exactOptional(v.custom<unknown>(isPlainJson));

/** Changed preferences. Unknown names and values are rejected. */
export const PreferenceChange = v.pipe(
  members,
  v.strictObject({
    theme: v.exactOptional(v.picklist(themes)),
    density: v.exactOptional(v.picklist(densities)),
    dateLanguage: v.exactOptional(v.picklist(dateLanguages)),
    /** Shows the left panel. */
    sidePanel: v.exactOptional(v.boolean()),
    /** Shows the inspector beside the editor. */
    inspector: v.exactOptional(v.boolean()),
    inspectorTab: v.exactOptional(v.picklist(inspectorTabs)),
    inspectorWidth: opaque,
    /** Unfolds the inspector below the reading view. */
    inspectorUnfolded: v.exactOptional(v.boolean()),
    /** View of an open record; null to decide by the window width. */
    recordView: v.exactOptional(v.nullable(v.picklist(recordViews))),
    /** Width of the reading view in percent if the JSON is also shown. */
    readingShare: opaque,
    /** Proxy of connections without their own. */
    proxy: v.exactOptional(DefaultProxy),
    /** Wraps long lines in the editor. */
    wordWrap: v.exactOptional(v.boolean()),
    /** Font size of the editor in CSS pixels. */
    editorFont: v.exactOptional(v.picklist(editorFonts)),
    /** Shows the minimap of the editor. */
    minimap: v.exactOptional(v.boolean()),
    /** Adds a byte order mark to CSV files. Without it Excel reads them in the code page of the system. */
    csvForExcel: v.exactOptional(v.boolean()),
    /** Milliseconds from the last key to the draft. */
    draftPause: v.exactOptional(v.picklist(draftPauses)),
    /** Keys of commands by id. They replace the keys of the table; an empty text removes them. */
    keys: v.exactOptional(v.record(v.string(), v.pipe(v.string(), v.maxLength(40)))),
    /** Requires a reason for each change. */
    demandReason: v.exactOptional(v.boolean()),
    /** Shows the record under the cursor beside the results. */
    preview: v.exactOptional(v.boolean()),
    /** Shows the values that narrow a search beside the results. */
    filters: v.exactOptional(v.boolean()),
    /** Counts of records from which a rule is a warning or a failure, by rule id. */
    thresholds: v.exactOptional(Thresholds),
    /** Profile for all records of a type, as canonical by type. It applies in addition to their meta.profile. */
    profiles: v.exactOptional(ChosenProfiles),
    /** Shows the exercises beside the page. */
    practice: v.exactOptional(v.boolean()),
    /** Columns of the results: visibility, order and width. */
    searchColumns: opaque,
  }),
);
export type PreferenceChange = Shape<typeof PreferenceChange>;
export type Preferences = Required<PreferenceChange>;
export type PreferenceName = keyof Preferences;

export const defaultPreferences: Preferences = {
  theme: 'auto',
  density: 'compact',
  dateLanguage: 'iso',
  sidePanel: true,
  inspector: true,
  inspectorTab: 'summary',
  inspectorWidth: null,
  inspectorUnfolded: false,
  recordView: null,
  readingShare: null,
  wordWrap: false,
  editorFont: 13,
  minimap: false,
  csvForExcel: false,
  draftPause: 500,
  keys: {},
  proxy: { kind: 'system' },
  demandReason: false,
  preview: true,
  filters: true,
  thresholds: {},
  profiles: {},
  practice: false,
  searchColumns: null,
};

/** Returns all preferences. A missing or unknown stored value becomes the default. */
export function readPreferences(storedPreferences: unknown): Preferences {
  const knownEntries = Object.entries(
    matchesSchema(members, storedPreferences) ? storedPreferences : {},
  ).filter(([name, value]) => matchesSchema(PreferenceChange, { [name]: value }));
  return { ...defaultPreferences, ...Object.fromEntries(knownEntries) };
}
