/**
 * electron-builder step between packing and signing: checks the native module of the target, then sets the
 * fuses and reads them back.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { Arch, type AfterPackContext } from 'electron-builder';
import { fuseNames, fuses, listWrongFuses } from '../main/fuses.ts';
import { root } from './bundles.ts';
import { hashNativeModules } from './native-modules.ts';

/** Returns the path of the packaged program: the application folder on macOS, otherwise the executable. */
export function getProgramPath({ appOutDir, electronPlatformName, packager }: PackedApp): string {
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

/** The members of the packager's context that are used here. */
interface PackedApp extends Pick<AfterPackContext, 'appOutDir' | 'electronPlatformName'> {
  readonly packager: {
    readonly appInfo: { readonly productFilename: string };
    /** On Linux only. */
    readonly executableName?: string;
  };
}

/**
 * Checks that the only native module of a packed app is the one of its target, byte for byte as in the
 * driver's package.
 *
 * @throws Error otherwise: the installed app would end at its start.
 */
export function checkNativeModule(app: PackedApp & Pick<AfterPackContext, 'arch'>): void {
  const unpacked =
    app.electronPlatformName === 'darwin'
      ? join(getProgramPath(app), 'Contents/Resources/app.asar.unpacked')
      : join(app.appOutDir, 'resources/app.asar.unpacked');
  const nativeFiles = globSync('**/*.node', { cwd: unpacked });
  const expectedName = `${app.electronPlatformName}-${Arch[app.arch]}.node`;
  const [nativeFile = ''] = nativeFiles;
  if (nativeFiles.length !== 1 || basename(nativeFile) !== expectedName) {
    throw new Error(
      `${expectedName} alone was to be packed, and there is: ${nativeFiles.join(', ') || 'none'}.`,
    );
  }
  const checksum = createHash('sha256')
    .update(readFileSync(join(unpacked, nativeFile)))
    .digest('hex');
  if (checksum !== hashNativeModules(root)[expectedName])
    throw new Error(`${expectedName} was packed with other bytes.`);
}

/**
 * Sets the fuses of a packaged program and reads them back. No argument or environment variable can undo a
 * fuse. A fuse that a later Electron adds stops the packaging until main/fuses.ts decides on it.
 *
 * @throws Error if a fuse has the wrong value.
 */
export async function setFuses(program: string): Promise<void> {
  const byIndex = Object.fromEntries(fuseNames.map((name) => [FuseV1Options[name], fuses[name]]));
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: program.endsWith('.app'),
    ...(byIndex as Record<FuseV1Options, boolean>),
  });
  const wrongNames = await listWrongFuses(program);
  if (wrongNames.length > 0)
    throw new Error(`These fuses are not as they should be: ${wrongNames.join(', ')}.`);
}

export default async function afterPack(context: PackedApp & Pick<AfterPackContext, 'arch'>): Promise<void> {
  checkNativeModule(context);
  await setFuses(getProgramPath(context));
}
