/**
 * What the workbench remembers for its user: a name, which values are known, and what holds until the user chooses.
 * `GET /app/preferences` answers all of them; `PUT` takes those that change, and the others stay.
 */
import * as v from 'valibot';
import { is, members, type Shape } from '../json/shape.ts';
import { DefaultProxy } from './connection-check.ts';
import { Thresholds } from './measures.ts';
import { ChosenProfiles } from './profiles.ts';

export const themes = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** How days and times are written: as ISO 8601 does, or as people of a language do. */
export const dateLanguages = ['iso', 'en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl'] as const;
export type DateLanguage = (typeof dateLanguages)[number];

/** What the inspector beside the editor can show, in the order of its tabs. */
export const inspectorTabs = ['summary', 'issues', 'history'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** As what an open record is shown, in the order of its tabs. */
export const recordViews = ['read', 'json', 'both'] as const;
export type RecordView = (typeof recordViews)[number];

export const editorFonts = [12, 13, 14, 16, 18] as const;
export const draftPauses = [500, 2000, 10_000] as const;

const mostCharacters = 4096;
const mostLevels = 4;

/** Whether a value is JSON of a few levels and a few thousand characters, to be kept for whoever understands it. */
export function isPlainJson(value: unknown): boolean {
  return isPlain(value, mostLevels) && JSON.stringify(value).length <= mostCharacters;
}

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'object' && value !== null) {
    return levels > 0 && Object.values(value).every((one) => isPlain(one, levels - 1));
  }
  return value === null || Number.isFinite(value) || ['boolean', 'string'].includes(typeof value);
}

/** What the page alone understands, such as a layout; null where the user has chosen none. The page minds its bounds. */
const opaque = v.exactOptional(v.custom<unknown>(isPlainJson));

/** Preferences to change: known names alone, each with a known value. */
export const PreferenceChange = v.pipe(
  members,
  v.strictObject({
    theme: v.exactOptional(v.picklist(themes)),
    density: v.exactOptional(v.picklist(densities)),
    dateLanguage: v.exactOptional(v.picklist(dateLanguages)),
    /** Whether the left panel is shown. */
    sidePanel: v.exactOptional(v.boolean()),
    /** The inspector beside the editor: whether it is shown, its tab and its width. */
    inspector: v.exactOptional(v.boolean()),
    inspectorTab: v.exactOptional(v.picklist(inspectorTabs)),
    inspectorWidth: opaque,
    /** Whether it is unfolded where it stands below the reading view. */
    inspectorUnfolded: v.exactOptional(v.boolean()),
    /** As what an open record is shown; null where the width of the window decides. */
    recordView: v.exactOptional(v.nullable(v.picklist(recordViews))),
    /** Per cent of the reading view where it and the JSON are both shown. */
    readingShare: opaque,
    /** The proxy of connections that name none. */
    proxy: v.exactOptional(DefaultProxy),
    /** Whether the editor breaks long lines. */
    wordWrap: v.exactOptional(v.boolean()),
    /** Size of the editor's letters in CSS pixels. */
    editorFont: v.exactOptional(v.picklist(editorFonts)),
    /** Whether the whole text is drawn small beside the editor. */
    minimap: v.exactOptional(v.boolean()),
    /** Adds a byte order mark to CSV files, without which Excel reads them in the system's code page. */
    csvForExcel: v.exactOptional(v.boolean()),
    /** Milliseconds from the last key to the draft. */
    draftPause: v.exactOptional(v.picklist(draftPauses)),
    /** Keys of commands by their ids, in place of the table's; empty for none. */
    keys: v.exactOptional(v.record(v.string(), v.pipe(v.string(), v.maxLength(40)))),
    /** Whether people must say why they change a record. */
    demandReason: v.exactOptional(v.boolean()),
    /** Whether the record under the cursor is shown beside the results. */
    preview: v.exactOptional(v.boolean()),
    /** Whether the values that narrow a search are shown beside the results. */
    filters: v.exactOptional(v.boolean()),
    /** From how many records on a rule is shown as a warning, and as a failure, by the rule's id. */
    thresholds: v.exactOptional(Thresholds),
    /** The profile by which records of a type are judged beside those that they claim: its canonical by type. */
    profiles: v.exactOptional(ChosenProfiles),
    /** Whether the exercises are shown beside the page. */
    practice: v.exactOptional(v.boolean()),
    /** Columns of the results: which are shown, in which order and how wide. */
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

/** All preferences out of what was kept: a value that is missing, or no longer known, is the default. */
export function readPreferences(kept: unknown): Preferences {
  const known = Object.entries(is(members, kept) ? kept : {}).filter(([name, value]) =>
    is(PreferenceChange, { [name]: value }),
  );
  return { ...defaultPreferences, ...Object.fromEntries(known) };
}
