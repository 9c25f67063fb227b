/**
 * electron-builder's step behind packing and before signing: the native module of the target is looked for, then the fuses
 * are set and read back.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { Arch, type AfterPackContext } from 'electron-builder';
import { fuseNames, fuses, wrongFuses } from '../main/fuses.ts';
import { root } from './bundles.ts';
import { nativeModules } from './native-modules.ts';

/** Path of the packaged program: an application's folder on macOS, else the executable. */
export function programOf({ appOutDir, electronPlatformName, packager }: PackedApp): string {
  const { productFilename } = packager.appInfo;
  switch (electronPlatformName) {
    case 'darwin':
    case 'mas':
      return join(appOutDir, `${productFilename}.app`);
    case 'win32':
      return join(appOutDir, `${productFilename}.exe`);
    default:
      return join(appOutDir, packager.executableName ?? productFilename);
  }
}

/** The part of the packager's context that is used. */
interface PackedApp extends Pick<AfterPackContext, 'appOutDir' | 'electronPlatformName'> {
  readonly packager: {
    readonly appInfo: { readonly productFilename: string };
    /** On Linux alone. */
    readonly executableName?: string;
  };
}

/**
 * Checks that the one native module of a packed app is the target's, byte for byte that of the driver's package.
 *
 * @throws Error with a sentence: the app would end at its start, on the machine of whoever installed it.
 */
export function checkNativeModule(app: PackedApp & Pick<AfterPackContext, 'arch'>): void {
  const unpacked =
    app.electronPlatformName === 'darwin'
      ? join(programOf(app), 'Contents/Resources/app.asar.unpacked')
      : join(app.appOutDir, 'resources/app.asar.unpacked');
  const found = globSync('**/*.node', { cwd: unpacked });
  const wanted = `${app.electronPlatformName}-${Arch[app.arch]}.node`;
  const [only = ''] = found;
  if (found.length !== 1 || basename(only) !== wanted) {
    throw new Error(`${wanted} alone was to be packed, and there is: ${found.join(', ') || 'none'}.`);
  }
  const sum = createHash('sha256')
    .update(readFileSync(join(unpacked, only)))
    .digest('hex');
  if (sum !== nativeModules(root)[wanted]) throw new Error(`${wanted} was packed with other bytes.`);
}

/**
 * Sets the fuses of a packaged program and reads them back: what it can never be talked into again, whatever the arguments
 * and the environment. A fuse that a later Electron adds stops the packaging until it is decided on in main/fuses.ts.
 *
 * @throws Error with a sentence where one is not as it should be.
 */
export async function setFuses(program: string): Promise<void> {
  const byIndex = Object.fromEntries(fuseNames.map((name) => [FuseV1Options[name], fuses[name]]));
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: program.endsWith('.app'),
    ...(byIndex as Record<FuseV1Options, boolean>),
  });
  const wrong = await wrongFuses(program);
  if (wrong.length > 0) throw new Error(`These fuses are not as they should be: ${wrong.join(', ')}.`);
}

export default async function afterPack(context: PackedApp & Pick<AfterPackContext, 'arch'>): Promise<void> {
  checkNativeModule(context);
  await setFuses(programOf(context));
}
