/** electron-builder's step behind packing and before signing: the fuses are set and read back. */
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';
import { setFuses } from './fuses.ts';

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

export default async function afterPack(context: PackedApp): Promise<void> {
  await setFuses(programOf(context));
}
