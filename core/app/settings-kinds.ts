/**
 * Portable settings by kind. Files contain no secrets and nothing specific to a machine, such as ids and
 * window bounds. A new kind needs a row here and one in server/workspace/portable-settings.ts, which knows
 * its storage.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { formatList } from '../text/language.ts';
import { defineMessages, type Message } from '../text/message.ts';
import { check, codedText, line, type Check } from './check.ts';
import { checkDefinition, checkLimits, type CheckDefinition } from './checks.ts';
import { checkConnection, DefaultProxy } from './connection-check.ts';
import { connectionLimits } from './connection-limits.ts';
import { isSameProxy, movedSecrets, throughDefaultProxy } from './secret-places.ts';
import type { ConnectionSettings } from './connections.ts';
import { densities, themes } from './preferences.ts';
import { ChosenProfiles } from './profiles.ts';
import { SearchName, searchLimits } from './searches.ts';

/** Name of the local server in lists of connections. No connection can have this name. */
export const localName = 'Local';

const messages = defineMessages('settings', {
  pairs: 'pairs must be at most {n} arrays of a parameter’s name and its value.',
  searchName: 'A name must have 1 to {n} characters, without spaces at either end.',
  searchConnection: 'connection must be the name of a connection, or {local} for this server.',
  oneOf: '{name} must be {values}.',
  shown: 'shown must be an array of columns, in their order.',
  widths: 'widths must have a number of pixels for each column.',
  types: 'types must have a layout for each type.',
  flag: '{name} must be true or false.',
  profiles: 'profiles must have a canonical for some types.',
  search: 'A search must be a JSON object.',
  columns: 'Columns must be a JSON object.',
  settings: 'Settings must be a JSON object.',
  secretLeftOut:
    'The secret is not imported, because it belongs to another address, sign-in, CA file or proxy.',
  passwordLeftOut: 'The previous proxy’s password is not imported.',
  secretsLeftOut: 'Secrets that belong to the previous proxy are not imported: {connections}.',
});

const pairRule = codedText(messages.pairs({ n: searchLimits.pairs }));
const nameRule = codedText(messages.searchName({ n: searchLimits.name }));
const oneOfRule = (name: string, items: readonly string[]) =>
  codedText(messages.oneOf({ name, values: formatList(items, 'disjunction') }));
const term = v.pipe(v.string(pairRule), v.maxLength(searchLimits.value, pairRule));

const Search = v.strictObject({
  name: v.message(SearchName.entries.name, nameRule),
  connection: line(connectionLimits.name, codedText(messages.searchConnection({ local: localName }))),
  type: v.picklist(resourceTypes, oneOfRule('type', resourceTypes)),
  pairs: v.pipe(
    v.array(v.strictTuple([term, term], pairRule), pairRule),
    v.maxLength(searchLimits.pairs, pairRule),
  ),
});

const columnId = v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/));
const layout = {
  shown: v.message(v.pipe(v.array(columnId), v.maxLength(50)), codedText(messages.shown())),
  widths: v.pipe(
    v.message(
      v.record(columnId, v.pipe(v.number(), v.minValue(1), v.maxValue(10_000))),
      codedText(messages.widths()),
    ),
    v.transform((widths) => Object.fromEntries(Object.entries(widths).sort(byText))),
  ),
};
const Columns = v.strictObject({
  ...layout,
  /** Layouts of single types. If present, the layout for all types is empty. */
  types: v.exactOptional(
    v.message(v.record(v.picklist(resourceTypes), v.strictObject(layout)), codedText(messages.types())),
  ),
});

const flag = (name: string) => v.exactOptional(v.boolean(codedText(messages.flag({ name }))));
/** Preferences that users choose, without the state of windows. */
const Settings = v.strictObject({
  theme: v.exactOptional(v.picklist(themes, oneOfRule('theme', themes))),
  density: v.exactOptional(v.picklist(densities, oneOfRule('density', densities))),
  sidePanel: flag('sidePanel'),
  inspector: flag('inspector'),
  wordWrap: flag('wordWrap'),
  csvForExcel: flag('csvForExcel'),
  /** Proxy of connections without their own. Its password is a secret. */
  proxy: v.exactOptional(DefaultProxy),
  profiles: v.exactOptional(v.message(ChosenProfiles, codedText(messages.profiles()))),
});

export interface PortableSettings {
  readonly connections: ConnectionSettings;
  readonly searches: Shape<typeof Search>;
  readonly checks: CheckDefinition;
  readonly columns: Shape<typeof Columns>;
  readonly settings: Shape<typeof Settings>;
}
export type PortableKind = keyof PortableSettings;

export interface KindRow<Value> {
  /** Folder of the files; absent if a single file, `KIND.json`, has all settings. */
  readonly folder?: string;
  readonly check: (input: unknown) => Check<Value>;
  /** Path segments of the file in its folder, without `.json`. */
  readonly names: (value: Value) => readonly string[];
  /** Name of the connection that must exist. */
  readonly needs?: (value: Value) => string;
  /** Maximum count of items with the same scope. */
  readonly limit?: { readonly maxCount: number; readonly scopeOf: (value: Value) => string };
  /**
   * Returns messages about further effects of a change.
   *
   * @param connections - Existing connections that remain.
   */
  readonly consequence?: (
    before: Value,
    after: Value,
    connections: readonly ConnectionSettings[],
  ) => readonly Message[];
  /** True if members that a file lacks stay unchanged. */
  readonly partial?: true;
}

export const kinds: { readonly [Kind in PortableKind]: KindRow<PortableSettings[Kind]> } = {
  // First, because other items may depend on an imported connection.
  connections: {
    folder: 'connections',
    check: checkConnection,
    names: ({ name }) => [name],
    limit: { maxCount: connectionLimits.connections, scopeOf: () => 'connections' },
    consequence: (before, after) =>
      movedSecrets(before, after).length === 0 ? [] : [messages.secretLeftOut()],
  },
  searches: {
    folder: 'searches',
    check: (input) => check(v.pipe(v.message(members, codedText(messages.search())), Search), input),
    names: ({ name, connection }) => (connection === localName ? [name] : [connection, name]),
    needs: ({ connection }) => connection,
    limit: { maxCount: searchLimits.saved, scopeOf: ({ connection }) => `searches of ${connection}` },
  },
  checks: {
    folder: 'checks',
    check: checkDefinition,
    names: ({ id }) => [id],
    limit: { maxCount: checkLimits.checks, scopeOf: () => 'checks' },
  },
  columns: {
    check: (input) => check(v.pipe(v.message(members, codedText(messages.columns())), Columns), input),
    names: () => ['columns'],
  },
  settings: {
    check: (input) => check(v.pipe(v.message(members, codedText(messages.settings())), Settings), input),
    names: () => ['settings'],
    consequence: ({ proxy: before }, { proxy: after = before }, connections) => {
      if (!before || !after || isSameProxy(before, after)) return [];
      const names = throughDefaultProxy(connections).map(({ name }) => name);
      return [
        ...(before.kind === 'address' ? [messages.passwordLeftOut()] : []),
        ...(names.length > 0 ? [messages.secretsLeftOut({ connections: formatList(names, 'unit') })] : []),
      ];
    },
    partial: true,
  },
};

/** One connection, one search, one check, the columns or the settings. */
export type PortableItem<Kind extends PortableKind = PortableKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly value: PortableSettings[K] };
}[Kind];

export function byText(
  [firstText]: readonly [string, ...unknown[]],
  [secondText]: readonly [string, ...unknown[]],
): number {
  return firstText < secondText ? -1 : Number(firstText > secondText);
}
