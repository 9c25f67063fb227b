/** Finds the browsers for the end-to-end tests. As root on Debian, it can install a Chromium. */
import { chromium } from '@playwright/test';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Flags for Chromium as root, without a GPU and without background activity. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const;

/** Commands of the complete Chromium. */
const fullBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Command of Debian's Chromium without a window. The tests take a quarter less time with it. */
const headlessBrowser = 'chromium-headless-shell';

/**
 * Returns the path of the first of these browsers, or undefined. Playwright's own comes before the system's.
 */
function findBrowser(names: readonly string[]): string | undefined {
  const playwrightPath = chromium.executablePath();
  return existsSync(playwrightPath) ? playwrightPath : findProgram(names);
}

/** Returns the path of the first of these commands that is installed, or undefined. */
function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Returns the path of the installed Firefox, or undefined. Debian's command is `firefox-esr`. */
export function findFirefox(): string | undefined {
  return findProgram(['firefox-esr', 'firefox']);
}

/**
 * Returns the path of a Chromium for tests: the path in `CHROMIUM`, otherwise the first installed Chromium.
 */
export function findTestBrowser(): string | undefined {
  return findRequestedBrowser() ?? findBrowser([headlessBrowser, ...fullBrowsers]);
}

/**
 * Returns the browser that the variable `CHROMIUM` names, so that one machine can run the tests in several.
 *
 * @throws {Error} if that file does not exist.
 */
function findRequestedBrowser(): string | undefined {
  const path = process.env.CHROMIUM;
  if (path === undefined || path === '') return undefined;
  if (!existsSync(path)) throw new Error(`CHROMIUM names ${path}, which does not exist.`);
  return path;
}

/** Returns the name and version that the browser prints, such as "Chromium 156.0.8078.108". */
export function readBrowserVersion(path: string): string {
  return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Returns the path of a complete Chromium, or undefined. */
export function findFullBrowser(): string | undefined {
  return findBrowser(fullBrowsers);
}

/**
 * Returns the path of a Chromium for tests, and installs one if possible.
 *
 * @throws Error that explains which browser to install.
 */
export function ensureBrowser(): string {
  return findRequestedBrowser() ?? ensureInstalled([headlessBrowser, ...fullBrowsers], headlessBrowser);
}

/** Returns the path of a complete Chromium for measurements. */
export function ensureFullBrowser(): string {
  return ensureInstalled(fullBrowsers, 'chromium');
}

function ensureInstalled(names: readonly string[], debianPackage: string): string {
  const path = findBrowser(names) ?? (canInstall() ? install(names, debianPackage) : undefined);
  if (path !== undefined) return path;
  throw new Error(
    'No Chromium was found. Install it (`npx playwright install chromium`, or your system’s package).',
  );
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install(names: readonly string[], debianPackage: string): string | undefined {
  process.stderr.write(`Installing ${debianPackage} from Debian, once…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', debianPackage, 'fonts-liberation'],
    {
      stdio: 'ignore',
      env,
    },
  );
  return findBrowser(names);
}
