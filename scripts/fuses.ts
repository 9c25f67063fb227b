/**
 * The fuses of Electron's program: what it can never be talked into again, whatever the arguments and the environment.
 * All of them are set, and a fuse that a later Electron adds stops the packaging until it is decided on here.
 */
import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

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
const names = Object.keys(fuses) as FuseName[];

/** Sets the fuses of a packaged program and reads them back. Throws a sentence where one is not as it should be. */
export async function setFuses(program: string): Promise<void> {
  const byIndex = Object.fromEntries(names.map((name) => [FuseV1Options[name], fuses[name]]));
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: program.endsWith('.app'),
    ...(byIndex as Record<FuseV1Options, boolean>),
  });
  const wrong = await wrongFuses(program);
  if (wrong.length > 0) throw new Error(`These fuses are not as they should be: ${wrong.join(', ')}.`);
}

/** Names of the fuses of a program that are not as {@link fuses} says. */
export async function wrongFuses(program: string): Promise<readonly string[]> {
  const wire = await getCurrentFuseWire(program);
  return names.filter(
    (name) => wire[FuseV1Options[name]] !== (fuses[name] ? FuseState.ENABLE : FuseState.DISABLE),
  );
}
