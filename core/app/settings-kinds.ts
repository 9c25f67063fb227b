/**
 * What is carried from one installation to another as files: a row for each kind. A value is what its file holds; what
 * differs by machine (ids, places of windows) and secrets are in none. A further kind is a row here, and one in
 * server/workspace/carried-settings.ts, which knows where it is kept.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { check, line, type Check } from './check.ts';
import { checkDefinition, checkLimits, type CheckDefinition } from './checks.ts';
import { checkConnection, DefaultProxy } from './connection-check.ts';
import { connectionLimits } from './connection-limits.ts';
import { isSameProxy, movedSecrets, throughDefaultProxy } from './secret-places.ts';
import type { ConnectionSettings } from './connections.ts';
import { densities, themes } from './preferences.ts';
import { ChosenProfiles } from './profiles.ts';
import { SearchName, searchLimits } from './searches.ts';

/** How the local server is called where connections are: no connection may have this name. */
export const localName = 'Local';

const pairRule = `pairs are at most ${searchLimits.pairs} arrays of a parameter's name and its value.`;
const nameRule = `A name is 1 to ${searchLimits.name} characters, without spaces at its ends.`;
const term = v.pipe(v.string(pairRule), v.maxLength(searchLimits.value, pairRule));

const Search = v.strictObject({
  name: v.message(SearchName.entries.name, nameRule),
  connection: line(
    connectionLimits.name,
    `connection is the name of a connection, or ${localName} for this server.`,
  ),
  type: v.picklist(resourceTypes, `type is one of ${resourceTypes.join(', ')}.`),
  pairs: v.pipe(
    v.array(v.strictTuple([term, term], pairRule), pairRule),
    v.maxLength(searchLimits.pairs, pairRule),
  ),
});

const columnId = v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/));
const layout = {
  shown: v.message(
    v.pipe(v.array(columnId), v.maxLength(50)),
    'shown is an array of columns, in their order.',
  ),
  widths: v.pipe(
    v.message(
      v.record(columnId, v.pipe(v.number(), v.minValue(1), v.maxValue(10_000))),
      'widths has a number of pixels for each column.',
    ),
    v.transform((widths) => Object.fromEntries(Object.entries(widths).sort(byText))),
  ),
};
const Columns = v.strictObject({
  ...layout,
  /** The layouts of single types; where there are some, the one for all types is none. */
  types: v.exactOptional(
    v.message(
      v.record(v.picklist(resourceTypes), v.strictObject(layout)),
      'types has a layout for each type.',
    ),
  ),
});

const flag = (name: string) => v.exactOptional(v.boolean(`${name} is true or false.`));
/** Preferences that are chosen; where a window was left is none. */
const Settings = v.strictObject({
  theme: v.exactOptional(v.picklist(themes, `theme is one of ${themes.join(', ')}.`)),
  density: v.exactOptional(v.picklist(densities, `density is one of ${densities.join(', ')}.`)),
  sidePanel: flag('sidePanel'),
  inspector: flag('inspector'),
  wordWrap: flag('wordWrap'),
  csvForExcel: flag('csvForExcel'),
  /** The proxy of connections that name none; its password is a secret. */
  proxy: v.exactOptional(DefaultProxy),
  /** The profile by which each record of a type is judged. */
  profiles: v.exactOptional(v.message(ChosenProfiles, 'profiles has a canonical for some types.')),
});

export interface Carried {
  readonly connections: ConnectionSettings;
  readonly searches: Shape<typeof Search>;
  readonly checks: CheckDefinition;
  readonly columns: Shape<typeof Columns>;
  readonly settings: Shape<typeof Settings>;
}
export type CarriedKind = keyof Carried;

export interface KindRow<Value> {
  /** The folder of its files; absent where one file, `KIND.json`, holds all. */
  readonly folder?: string;
  readonly check: (written: unknown) => Check<Value>;
  /** Names of the folders in its own and of the file, without `.json`. */
  readonly names: (value: Value) => readonly string[];
  /** What else must be there: the connection of this name. */
  readonly needs?: (value: Value) => string;
  /** How many there may be, of those that are in the same place. */
  readonly limit?: { readonly most: number; readonly within: (value: Value) => string };
  /** What comes of a change beside the change, in sentences; `connections` are those of before that stay. */
  readonly consequence?: (
    before: Value,
    after: Value,
    connections: readonly ConnectionSettings[],
  ) => string | undefined;
  /** What a file does not name stays as it is. */
  readonly partial?: true;
}

export const kinds: { readonly [Kind in CarriedKind]: KindRow<Carried[Kind]> } = {
  // First of all: the others may be of one that comes with them.
  connections: {
    folder: 'connections',
    check: checkConnection,
    names: ({ name }) => [name],
    limit: { most: connectionLimits.connections, within: () => 'connections' },
    consequence: (before, after) =>
      movedSecrets(before, after).length === 0
        ? undefined
        : 'The secret is not imported, because it belongs to another address, sign-in, CA file or proxy.',
  },
  searches: {
    folder: 'searches',
    check: (written) => check(v.pipe(v.message(members, 'A search is a JSON object.'), Search), written),
    names: ({ name, connection }) => (connection === localName ? [name] : [connection, name]),
    needs: ({ connection }) => connection,
    limit: { most: searchLimits.saved, within: ({ connection }) => `searches of ${connection}` },
  },
  checks: {
    folder: 'checks',
    check: checkDefinition,
    names: ({ id }) => [id],
    limit: { most: checkLimits.checks, within: () => 'checks' },
  },
  columns: {
    check: (written) => check(v.pipe(v.message(members, 'Columns are a JSON object.'), Columns), written),
    names: () => ['columns'],
  },
  settings: {
    check: (written) => check(v.pipe(v.message(members, 'Settings are a JSON object.'), Settings), written),
    names: () => ['settings'],
    consequence: ({ proxy: before }, { proxy: after = before }, connections) => {
      if (!before || !after || isSameProxy(before, after)) return undefined;
      const names = throughDefaultProxy(connections).map(({ name }) => name);
      const sentences = [
        ...(before.kind === 'address' ? ['The password of the former proxy is not taken along.'] : []),
        ...(names.length > 0
          ? [`Secrets that belong to the former proxy are not imported: ${names.join(', ')}.`]
          : []),
      ];
      return sentences.length === 0 ? undefined : sentences.join(' ');
    },
    partial: true,
  },
};

/** One connection, one search, the columns or the settings. */
export type CarriedItem<Kind extends CarriedKind = CarriedKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly value: Carried[K] };
}[Kind];

export function byText(
  [one]: readonly [string, ...unknown[]],
  [other]: readonly [string, ...unknown[]],
): number {
  return one < other ? -1 : Number(one > other);
}
