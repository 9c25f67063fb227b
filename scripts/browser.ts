/** Finds, or as root on Debian installs, the Chromium that the end-to-end tests drive. */
import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
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

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium on this machine: Playwright's own, else the system's; undefined where there is none. */
function findBrowser(): string | undefined {
  const own = chromium.executablePath();
  const folders = (process.env.PATH ?? '').split(delimiter);
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [own, ...installed].find((path) => existsSync(path));
}

/** Path of a Chromium, installed where it may be; throws a sentence that says what to install. */
export function ensureBrowser(): string {
  const found = findBrowser() ?? (mayInstall() ? install() : undefined);
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium was found. Install it (`npx playwright install chromium`, or your system’s package).',
  );
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install(): string | undefined {
  process.stderr.write('Installing chromium from Debian, once…\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'], {
    stdio: 'ignore',
    env,
  });
  return findBrowser();
}
