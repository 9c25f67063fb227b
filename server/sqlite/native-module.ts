import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Checksums of the native modules by file name, set by the build. Absent in a source checkout. */
declare const __NATIVE_MODULES__: Readonly<Record<string, string>> | undefined;

/**
 * Returns the path of the native module for this machine. The module is outside the archive of the packaged app. Only
 * this file is loaded, because the driver would prefer another one next to it. Returns undefined without a build, so
 * that the driver searches for itself.
 *
 * @throws Error if the file differs from the one of the build.
 */
export function nativeModule(): string | undefined {
  const checksums = typeof __NATIVE_MODULES__ === 'object' ? __NATIVE_MODULES__ : {};
  const name = `${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}.node`;
  const sum = checksums[name];
  if (sum === undefined) return undefined;
  const driver = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const file = join(driver, 'prebuilds', name);
  checkSum(file, sum);
  return file;
}

/**
 * Compares the SHA-256 of a file with a hexadecimal checksum.
 *
 * @throws Error if it differs or the file can't be read.
 */
export function checkSum(file: string, sum: string): void {
  if (createHash('sha256').update(readFileSync(file)).digest('hex') === sum) return;
  throw new Error(
    `${file} is not the database driver Chartkeeper was built with and was not loaded. Reinstall Chartkeeper.`,
  );
}

/** Returns true if this process uses musl: its loader is then mapped into the process. */
function isMusl(): boolean {
  return (
    process.platform === 'linux' && /\/ld-musl-[^/\s]*\.so/.test(readFileSync('/proc/self/maps', 'latin1'))
  );
}
