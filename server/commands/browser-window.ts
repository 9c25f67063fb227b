/**
 * A window of the system's Chromium in place of Electron's: `serve --browser`. Called by serve.ts. Invariants: no argument
 * holds a secret, since others on the machine read them; the profile is the window's own and goes with it, so that nothing
 * that the page showed is left on the disk by the browser.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Profiles lie in the data folder, which is its owner's alone. */
const profilePrefix = 'browser-window-';

/** Nothing of the browser wakes up by itself, asks anybody, or outlives its window. */
const flags = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-mode',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=MediaRouter,OptimizationHints,Translate',
  '--disable-sync',
  '--password-store=basic',
  '--window-size=1440,900',
];

/** Commands of Linux, the freest first. */
const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Below the folders of applications. */
const applications = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `${name}.app/Contents/MacOS/${name}`,
);

/** Below the folders of programs. */
const programs = [
  'Chromium/Application/chrome.exe',
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
];

/** Where a Chromium, Chrome or Edge may be, the one to take first; `CHARTKEEPER_CHROMIUM` names another. */
export function chromiumPaths(platform: string, env: NodeJS.ProcessEnv): readonly string[] {
  const given = env.CHARTKEEPER_CHROMIUM;
  if (given !== undefined && given !== '') return [given];
  const [names, folders] = placesOf(platform, env);
  const there = [...folders].filter((folder): folder is string => folder !== undefined && folder !== '');
  return names.flatMap((name) => there.map((folder) => join(folder, name)));
}

function placesOf(platform: string, env: NodeJS.ProcessEnv) {
  switch (platform) {
    case 'darwin':
      return [applications, ['/Applications', join(env.HOME ?? '', 'Applications')]] as const;
    case 'win32':
      return [programs, [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]] as const;
    default:
      return [commands, (env.PATH ?? '').split(delimiter)] as const;
  }
}

/**
 * The system's Chromium.
 *
 * @throws Error with a sentence where there is none.
 */
export function findChromium(): string {
  const found = chromiumPaths(process.platform, process.env).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium, Chrome or Edge found. Install one, or leave out --browser and open the link in any browser.',
  );
}

export interface BrowserWindow {
  /** Resolves once the browser is gone, with whether it ended as it does when its last window is closed. */
  readonly closed: Promise<boolean>;
  close(): void;
}

/** Opens a window that begins at `link`, which signs in. */
export function openBrowserWindow(program: string, dataDir: string, link: string): BrowserWindow {
  for (const name of readdirSync(dataDir)) {
    // Of a server that was killed.
    if (name.startsWith(profilePrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  const profile = mkdtempSync(join(dataDir, profilePrefix));
  // The code that signs in is in a file that its owner alone reads, and not in the list of processes.
  const first = join(profile, 'open.html');
  writeFileSync(first, `<!doctype html><script>location.replace(${JSON.stringify(link)})</script>`, {
    mode: 0o600,
  });
  const more = (process.env.CHARTKEEPER_CHROMIUM_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(
    program,
    [`--app=${pathToFileURL(first).href}`, `--user-data-dir=${profile}`, ...flags, ...more],
    { stdio: 'ignore' },
  );
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  const closed = ended.then(async (inOrder) => {
    // Its last processes may still write.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    return inOrder;
  });
  return { closed, close: () => void child.kill() };
}
