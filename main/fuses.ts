/** The fuses of Electron's program, as the packaging sets them and as `--self-check` reads them. */
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';

/** By the name of the fuse: whether it is on. */
export const fuses = {
  // The program is no Node: `ELECTRON_RUN_AS_NODE` and `NODE_OPTIONS` mean nothing to it, and it cannot be inspected.
  RunAsNode: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableCookieEncryption: true,
  // The archive is checked, where the system allows it (macOS, Windows), and code is loaded from nowhere else.
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  // There is no snapshot of our own to load.
  LoadBrowserProcessSpecificV8Snapshot: false,
  // Pages come from the server; `file:` has no privileges.
  GrantFileProtocolExtraPrivileges: false,
  // As Electron ships it: traps instead of checks at each access of WebAssembly's memory.
  WasmTrapHandlers: true,
} as const satisfies Record<keyof typeof FuseV1Options, boolean>;

type FuseName = keyof typeof fuses;
export const fuseNames = Object.keys(fuses) as FuseName[];

/** Names of the fuses of a program that are not as {@link fuses} says. Rejects where it has none. */
export async function wrongFuses(program: string): Promise<readonly string[]> {
  const wire = await getCurrentFuseWire(program);
  return fuseNames.filter(
    (name) => wire[FuseV1Options[name]] !== (fuses[name] ? FuseState.ENABLE : FuseState.DISABLE),
  );
}
