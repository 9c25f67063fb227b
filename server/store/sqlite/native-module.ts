import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** SHA-256 of each of the driver's native modules by its file's name, as the build found them; absent in sources. */
declare const __NATIVE_MODULES__: Readonly<Record<string, string>> | undefined;

/**
 * Path of the driver's native module for this machine, which is code and lies outside the archive of the packed app.
 * Nothing but it is loaded then: the driver itself would prefer one that somebody put beside it. Undefined where no build
 * tells what it must be; the driver then finds its own.
 *
 * @throws Error where it is not the file that was there when Chartkeeper was built.
 */
export function nativeModule(): string | undefined {
  const known = typeof __NATIVE_MODULES__ === 'object' ? __NATIVE_MODULES__ : {};
  const name = `${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}.node`;
  const sum = known[name];
  if (sum === undefined) return undefined;
  const driver = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const file = join(driver, 'prebuilds', name);
  checkSum(file, sum);
  return file;
}

/**
 * Reads a file and compares its SHA-256, hexadecimal.
 *
 * @throws Error where it is another, or cannot be read.
 */
export function checkSum(file: string, sum: string): void {
  if (createHash('sha256').update(readFileSync(file)).digest('hex') === sum) return;
  throw new Error(
    `${file} is not the database driver that Chartkeeper was built with, and was not loaded. Install Chartkeeper anew.`,
  );
}

/** Whether this process runs on musl; its loader is then mapped into it. */
function isMusl(): boolean {
  return (
    process.platform === 'linux' && /\/ld-musl-[^/\s]*\.so/.test(readFileSync('/proc/self/maps', 'latin1'))
  );
}
