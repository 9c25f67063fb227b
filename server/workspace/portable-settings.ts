import type { DefaultProxy } from '../../core/app/connections.ts';
import { isSameProxy, movedSecrets, throughDefaultProxy } from '../../core/app/secret-places.ts';
import { settingsFiles, type SettingsFile, type SettingsOutcome } from '../../core/app/settings-files.ts';
import { planImport } from '../../core/app/settings-import.ts';
import {
  kinds,
  localName,
  type PortableSettings,
  type PortableItem,
  type PortableKind,
} from '../../core/app/settings-kinds.ts';
import { foldedName } from '../../core/app/settings-names.ts';
import { localServer } from './server-key.ts';
import type { Workspace } from './workspace.ts';

type Stores = Pick<Workspace, 'connections' | 'searches' | 'checks' | 'preferences' | 'changePreferences'>;

/** Callbacks before requests go to another server or proxy. A connection is reported by the id of its secrets. */
export interface OnMoved {
  readonly connection: (id: string) => Promise<void>;
  readonly proxyBefore: (next: DefaultProxy) => Promise<void>;
}

/** Callbacks if the secrets are not available: a connection gets a new id, so that its secrets are never found. */
function unseenSecrets({ connections, preferences }: Stores): OnMoved {
  return {
    connection: () => Promise.resolve(),
    async proxyBefore(next) {
      if (isSameProxy((await preferences()).proxy, next)) return;
      for (const { id } of throughDefaultProxy(await connections.list())) await connections.renew(id);
    },
  };
}

/** Author of changes from a file. */
const carrier = 'settings';

/** Reads all values of one kind of settings, and applies one. */
interface SettingsStore<Value> {
  readonly list: () => Promise<readonly Value[]>;
  readonly take: (value: Value) => Promise<unknown>;
}

/** Creates the import and export of workspace settings as files (core/app/settings-kinds.ts). */
export function createPortableSettings(stores: Stores, onMoved: OnMoved = unseenSecrets(stores)) {
  const keepers = createStores(stores, onMoved);
  const readItems = async (): Promise<PortableItem[]> => {
    const itemsByKind = await Promise.all(kindsOf(keepers).map((kind) => itemsOf(keepers, kind)));
    return itemsByKind.flat();
  };
  return {
    /** Returns all settings files, by path. */
    files: async (): Promise<SettingsFile[]> => settingsFiles(await readItems()),
    /** Imports the valid settings of files. With `dryRun`, only reports the changes. */
    async takeOver(files: readonly SettingsFile[], dryRun: boolean): Promise<SettingsOutcome> {
      const plan = planImport(files, await readItems());
      if (!dryRun) for (const { item } of plan) if (item) await take(keepers, item);
      return { dryRun, lines: plan.map(({ line }) => line) };
    },
  };
}

type SettingsStores = { readonly [Kind in PortableKind]: SettingsStore<PortableSettings[Kind]> };

function kindsOf(keepers: SettingsStores): readonly PortableKind[] {
  return Object.keys(keepers) as PortableKind[];
}

async function itemsOf<Kind extends PortableKind>(
  keepers: SettingsStores,
  kind: Kind,
): Promise<PortableItem<Kind>[]> {
  return (await keepers[kind].list()).map((value) => ({ kind, value }));
}

async function take<Kind extends PortableKind>(
  keepers: SettingsStores,
  { kind, value }: PortableItem<Kind>,
): Promise<void> {
  await keepers[kind].take(value);
}

function createStores(
  { connections, searches, checks, ...settings }: Stores,
  onMoved: OnMoved,
): SettingsStores {
  /** Names of servers and the keys of their searches. */
  const servers = async (): Promise<{ name: string; server: string }[]> => [
    { name: localName, server: localServer },
    ...(await connections.list()).map(({ name, baseUrl }) => ({ name, server: baseUrl })),
  ];
  return {
    connections: {
      list: async () => (await connections.list()).map(({ id: _id, ...value }) => value),
      async take(value) {
        const existingConnection = (await connections.list()).find(
          ({ name }) => foldedName(name) === foldedName(value.name),
        );
        if (!existingConnection) return connections.add(value);
        if (movedSecrets(existingConnection, value).length === 0)
          return connections.change(existingConnection.id, value);
        await onMoved.connection(existingConnection.id);
        return connections.change(await connections.renew(existingConnection.id), value);
      },
    },
    searches: {
      async list() {
        const searchLists = (await servers()).map(async ({ name: connection, server }) =>
          (await searches.saved(server)).map(({ name, type, pairs }) => ({ name, connection, type, pairs })),
        );
        return (await Promise.all(searchLists)).flat();
      },
      async take({ name, connection, ...query }) {
        const serverEntry = (await servers()).find(
          (candidate) => foldedName(candidate.name) === foldedName(connection),
        );
        return serverEntry && searches.put(serverEntry.server, name, query);
      },
    },
    checks: {
      list: () =>
        Promise.resolve(
          checks.list().map(({ version: _version, by: _author, at: _modificationTime, ...value }) => value),
        ),
      take(value) {
        checks.put(value, carrier);
        return Promise.resolve();
      },
    },
    columns: {
      async list() {
        const checked = kinds.columns.check((await settings.preferences()).searchColumns);
        return 'value' in checked ? [checked.value] : [];
      },
      take: (searchColumns) => settings.changePreferences({ searchColumns }),
    },
    settings: {
      async list() {
        const { theme, density, sidePanel, inspector, wordWrap, csvForExcel, proxy, profiles } =
          await settings.preferences();
        const checked = kinds.settings.check({
          theme,
          density,
          sidePanel,
          inspector,
          wordWrap,
          csvForExcel,
          proxy,
          profiles,
        });
        return 'value' in checked ? [checked.value] : [];
      },
      async take(value) {
        if (value.proxy) await onMoved.proxyBefore(value.proxy);
        await settings.changePreferences(value);
      },
    },
  };
}
