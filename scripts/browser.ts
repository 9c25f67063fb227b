/** Finds, or as root on Debian installs, the Chromium that the end-to-end tests drive. */
import { chromium } from '@playwright/test';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Flags with which Chromium runs as root and without a display's card, and nothing of it wakes up by itself. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const;

/** Chromium as people have it. */
const whole = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Debian's package of Chromium without a window's parts, and its command: the tests take a quarter less with it. */
const shell = 'chromium-headless-shell';

/** Path of the first of these on this machine, Playwright's own before the system's; undefined where there is none. */
function findBrowser(names: readonly string[]): string | undefined {
  const own = chromium.executablePath();
  const folders = (process.env.PATH ?? '').split(delimiter);
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [own, ...installed].find((path) => existsSync(path));
}

/** Returns the path of a Chromium to test with: the one that `CHROMIUM` names, else the first installed one. */
export function testBrowser(): string | undefined {
  return chosenBrowser() ?? findBrowser([shell, ...whole]);
}

/**
 * Returns the browser that the variable `CHROMIUM` names, so that one machine can run the tests in several.
 *
 * @throws {Error} if that file does not exist.
 */
function chosenBrowser(): string | undefined {
  const path = process.env.CHROMIUM;
  if (path === undefined || path === '') return undefined;
  if (!existsSync(path)) throw new Error(`CHROMIUM names ${path}, which does not exist.`);
  return path;
}

/** Returns name and version as the browser prints them, such as "Chromium 156.0.8078.108". */
export function browserVersion(path: string): string {
  return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Path of a Chromium as people have it; undefined where there is none. */
export function wholeBrowser(): string | undefined {
  return findBrowser(whole);
}

/** Path of a Chromium to test with, installed where it may be; throws a sentence that says what to install. */
export function ensureBrowser(): string {
  return chosenBrowser() ?? ensure([shell, ...whole], shell);
}

/** Path of a Chromium to measure with: the one that people use. */
export function ensureWholeBrowser(): string {
  return ensure(whole, 'chromium');
}

function ensure(names: readonly string[], debian: string): string {
  const found = findBrowser(names) ?? (mayInstall() ? install(names, debian) : undefined);
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium was found. Install it (`npx playwright install chromium`, or your system’s package).',
  );
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install(names: readonly string[], debian: string): string | undefined {
  process.stderr.write(`Installing ${debian} from Debian, once…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debian, 'fonts-liberation'], {
    stdio: 'ignore',
    env,
  });
  return findBrowser(names);
}
