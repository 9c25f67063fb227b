/** The fuses of Electron's program. The packaging sets them, and `--self-check` reads them. */
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';

export const fuses = {
  // The program must not act as Node: it ignores `ELECTRON_RUN_AS_NODE` and `NODE_OPTIONS`, and cannot be
  // inspected.
  RunAsNode: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableCookieEncryption: true,
  // The archive is verified if the system supports it (macOS, Windows), and no other code is loaded.
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  // There is no own snapshot.
  LoadBrowserProcessSpecificV8Snapshot: false,
  // Pages come from the server. `file:` has no privileges.
  GrantFileProtocolExtraPrivileges: false,
  // Default of Electron: traps instead of checks at each access to WebAssembly memory.
  WasmTrapHandlers: true,
} as const satisfies Record<keyof typeof FuseV1Options, boolean>;

type FuseName = keyof typeof fuses;
export const fuseNames = Object.keys(fuses) as FuseName[];

/** Returns the names of a program's fuses that differ from {@link fuses}. Rejects if the program has none. */
export async function listWrongFuses(program: string): Promise<readonly string[]> {
  const wire = await getCurrentFuseWire(program);
  return fuseNames.filter(
    (name) => wire[FuseV1Options[name]] !== (fuses[name] ? FuseState.ENABLE : FuseState.DISABLE),
  );
}
