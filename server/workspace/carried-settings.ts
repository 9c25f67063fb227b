import type { DefaultProxy } from '../../core/app/connections.ts';
import { isSameProxy, movedSecrets, throughDefaultProxy } from '../../core/app/secret-places.ts';
import { settingsFiles, type SettingsFile, type SettingsOutcome } from '../../core/app/settings-files.ts';
import { planImport } from '../../core/app/settings-import.ts';
import {
  kinds,
  localName,
  type Carried,
  type CarriedItem,
  type CarriedKind,
} from '../../core/app/settings-kinds.ts';
import { foldedName } from '../../core/app/settings-names.ts';
import { localServer } from './server-key.ts';
import type { Workspace } from './workspace.ts';

type Stores = Pick<Workspace, 'connections' | 'searches' | 'checks' | 'preferences' | 'changePreferences'>;

/** Told before requests go elsewhere: of a connection by the id that its secrets are kept under, of the next proxy of all. */
export interface OnMoved {
  readonly connection: (id: string) => Promise<void>;
  readonly proxyBefore: (next: DefaultProxy) => Promise<void>;
}

/** Without the secrets at hand: a connection gets another id, under which none of the former ones is found. */
function unseenSecrets({ connections, preferences }: Stores): OnMoved {
  return {
    connection: () => Promise.resolve(),
    async proxyBefore(next) {
      if (isSameProxy((await preferences()).proxy, next)) return;
      for (const { id } of throughDefaultProxy(await connections.list())) await connections.renew(id);
    },
  };
}

/** Who changed what came with a file. */
const carrier = 'settings';

/** Where a kind is kept: all that is held of it, and how one is taken over. */
interface Keeper<Value> {
  readonly held: () => Promise<readonly Value[]>;
  readonly take: (value: Value) => Promise<unknown>;
}

/** The settings of a workspace as files (core/app/settings-kinds.ts). */
export function carriedSettings(stores: Stores, onMoved: OnMoved = unseenSecrets(stores)) {
  const keepers = keepersOf(stores, onMoved);
  const held = async (): Promise<CarriedItem[]> => {
    const all = await Promise.all(kindsOf(keepers).map((kind) => itemsOf(keepers, kind)));
    return all.flat();
  };
  return {
    /** All of them, by path. */
    files: async (): Promise<SettingsFile[]> => settingsFiles(await held()),
    /** Takes over what is good of these files, or only says what that would do. */
    async takeOver(files: readonly SettingsFile[], dryRun: boolean): Promise<SettingsOutcome> {
      const plan = planImport(files, await held());
      if (!dryRun) for (const { item } of plan) if (item) await take(keepers, item);
      return { dryRun, lines: plan.map(({ line }) => line) };
    },
  };
}

type Keepers = { readonly [Kind in CarriedKind]: Keeper<Carried[Kind]> };

function kindsOf(keepers: Keepers): readonly CarriedKind[] {
  return Object.keys(keepers) as CarriedKind[];
}

async function itemsOf<Kind extends CarriedKind>(keepers: Keepers, kind: Kind): Promise<CarriedItem<Kind>[]> {
  return (await keepers[kind].held()).map((value) => ({ kind, value }));
}

async function take<Kind extends CarriedKind>(
  keepers: Keepers,
  { kind, value }: CarriedItem<Kind>,
): Promise<void> {
  await keepers[kind].take(value);
}

function keepersOf({ connections, searches, checks, ...settings }: Stores, onMoved: OnMoved): Keepers {
  /** A name and the base URL that its searches are kept under. */
  const servers = async (): Promise<{ name: string; server: string }[]> => [
    { name: localName, server: localServer },
    ...(await connections.list()).map(({ name, baseUrl }) => ({ name, server: baseUrl })),
  ];
  return {
    connections: {
      held: async () => (await connections.list()).map(({ id: _id, ...value }) => value),
      async take(value) {
        const former = (await connections.list()).find(
          ({ name }) => foldedName(name) === foldedName(value.name),
        );
        if (!former) return connections.add(value);
        if (movedSecrets(former, value).length === 0) return connections.change(former.id, value);
        await onMoved.connection(former.id);
        return connections.change(await connections.renew(former.id), value);
      },
    },
    searches: {
      async held() {
        const saved = (await servers()).map(async ({ name: connection, server }) =>
          (await searches.saved(server)).map(({ name, type, pairs }) => ({ name, connection, type, pairs })),
        );
        return (await Promise.all(saved)).flat();
      },
      async take({ name, connection, ...query }) {
        const found = (await servers()).find((one) => foldedName(one.name) === foldedName(connection));
        return found && searches.put(found.server, name, query);
      },
    },
    checks: {
      held: () =>
        Promise.resolve(checks.list().map(({ version: _version, by: _by, at: _at, ...value }) => value)),
      take(value) {
        checks.put(value, carrier);
        return Promise.resolve();
      },
    },
    columns: {
      async held() {
        const read = kinds.columns.check((await settings.preferences()).searchColumns);
        return 'value' in read ? [read.value] : [];
      },
      take: (searchColumns) => settings.changePreferences({ searchColumns }),
    },
    settings: {
      async held() {
        const { theme, density, sidePanel, inspector, wordWrap, csvForExcel, proxy, profiles } =
          await settings.preferences();
        const read = kinds.settings.check({
          theme,
          density,
          sidePanel,
          inspector,
          wordWrap,
          csvForExcel,
          proxy,
          profiles,
        });
        return 'value' in read ? [read.value] : [];
      },
      async take(value) {
        if (value.proxy) await onMoved.proxyBefore(value.proxy);
        await settings.changePreferences(value);
      },
    },
  };
}
