/**
 * Opens a window of the installed Chromium instead of Electron (`serve --browser`). Called by serve.ts. Invariants: no
 * argument contains a secret, because other accounts can read arguments. Each window has its own profile, which is
 * removed afterwards, so that the browser leaves no patient data on disk.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Prefix of profile folders. They are in the data folder, which only its owner can read. */
const profilePrefix = 'browser-window-';

/** Flags against background work, network requests and processes that outlive the window. */
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

/** Commands of Linux, open-source browsers first. */
const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Paths below the application folders of macOS. */
const applications = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `${name}.app/Contents/MacOS/${name}`,
);

/** Paths below the program folders of Windows. */
const programs = [
  'Chromium/Application/chrome.exe',
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
];

/** Returns the possible paths of Chromium, Chrome or Edge, preferred first. `CHARTKEEPER_CHROMIUM` replaces them. */
export function chromiumPaths(platform: string, env: NodeJS.ProcessEnv): readonly string[] {
  const configuredPath = env.CHARTKEEPER_CHROMIUM;
  if (configuredPath !== undefined && configuredPath !== '') return [configuredPath];
  const [names, folders] = listPlaces(platform, env);
  const knownFolders = [...folders].filter(
    (folder): folder is string => folder !== undefined && folder !== '',
  );
  return names.flatMap((name) => knownFolders.map((folder) => join(folder, name)));
}

function listPlaces(platform: string, env: NodeJS.ProcessEnv) {
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
 * Returns the path of the installed Chromium, Chrome or Edge.
 *
 * @throws Error if none is installed.
 */
export function findChromium(): string {
  const existingPath = chromiumPaths(process.platform, process.env).find((path) => existsSync(path));
  if (existingPath !== undefined) return existingPath;
  throw new Error(
    'No Chromium, Chrome or Edge found. Install one, or leave out --browser and open the link in any browser.',
  );
}

export interface BrowserWindow {
  /** Resolves when the browser has exited: true after a normal exit, false after a crash. */
  readonly closed: Promise<boolean>;
  close(): void;
}

/** Opens a window at a sign-in link. */
export function openBrowserWindow(program: string, dataDir: string, link: string): BrowserWindow {
  for (const name of readdirSync(dataDir)) {
    // Left by a killed server.
    if (name.startsWith(profilePrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  const profile = mkdtempSync(join(dataDir, profilePrefix));
  // The sign-in code is in a private file, not in the list of processes.
  const startPage = join(profile, 'open.html');
  writeFileSync(startPage, `<!doctype html><script>location.replace(${JSON.stringify(link)})</script>`, {
    mode: 0o600,
  });
  const extraFlags = (process.env.CHARTKEEPER_CHROMIUM_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(
    program,
    [`--app=${pathToFileURL(startPage).href}`, `--user-data-dir=${profile}`, ...flags, ...extraFlags],
    { stdio: 'ignore' },
  );
  const exit = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  const closed = exit.then(async (isNormalExit) => {
    // The last processes of the browser may still be writing.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    return isNormalExit;
  });
  return { closed, close: () => void child.kill() };
}
