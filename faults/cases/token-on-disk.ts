import { chromium, type Page } from '@playwright/test';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newToken } from '../../server/access/secret.ts';
import { browserFlags, wholeBrowser } from '../../scripts/browser.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';

/** Signs in so many times in one profile, by links of both kinds. */
const signIns = { short: 2, full: 10 } as const;

/** What a browser writes on its user's disk of someone who signs in, is searched byte by byte. */
export const tokenOnDisk: FaultCase = {
  name: 'token-on-disk',
  claim:
    'What a browser keeps on the disk of people who sign in lets nobody in: no session, no token of a file, and no code that still works, in no file of its profile.',
  beside: true,
  run,
};

/** A secret that was about, and in which files of the profile it is found. */
interface Found {
  readonly secret: string;
  readonly files: readonly string[];
}

async function run({ extent, folder, tally }: FaultContext): Promise<Finding> {
  const executablePath = wholeBrowser();
  if (executablePath === undefined) return { result: 'not run', reason: 'There is no Chromium here.' };
  const dataDir = join(folder, 'data');
  const profile = join(folder, 'profile');
  await mkdir(dataDir);
  const server = await startServer(dataDir);
  const seen = newToken();
  const codes: string[] = [];
  const sessions: string[] = [];
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...browserFlags],
  });
  try {
    // What an address with a lasting token leaves behind; where that is not found, the search finds nothing.
    await (await context.newPage()).goto(`http://127.0.0.1:${server.port}/#token=${seen}`);
    for (let one = 0; one < signIns[extent]; one += 1) {
      const link = one % 2 === 0 ? await linkByCommand(dataDir) : await linkByRequest(server);
      codes.push(link.split('#code=')[1] ?? '');
      sessions.push(await signInAndReload(await context.newPage(), link));
      tally.add('sign-ins in one profile', 1);
    }
  } finally {
    await context.close();
  }
  const files = await filesBelow(profile);
  tally.add('files of the profile', files.size);
  const [control] = search(files, [seen]);
  if (!control || control.files.length === 0) {
    throw new FaultError('The search does not even find an address that was opened');
  }
  tally.add('files with the address that was opened', control.files.length);
  const [leaked] = search(files, [server.token, ...sessions]).filter((found) => found.files.length > 0);
  if (leaked) throw new FaultError(`A token that works stands in ${leaked.files.join(', ')}`);
  tally.add('sessions and file tokens on the disk', 0);
  const left = search(files, codes).filter((found) => found.files.length > 0);
  tally.add('used codes on the disk', left.length);
  for (const code of codes) {
    const { status } = await send(server, 'POST', '/app/sign-in', JSON.stringify({ code }));
    if (status !== 401) throw new FaultError(`A code that was used is answered ${status}`);
  }
  tally.add('of these that still work', 0);
  await server.stop();
  return { result: 'passed', figures: tally.figures };
}

async function linkByCommand(dataDir: string): Promise<string> {
  const { stdout } = await runCommand(['link', '--data', dataDir]);
  return stdout.trim().replace('Open ', '');
}

async function linkByRequest(server: FaultServer): Promise<string> {
  const { text } = await send(server, 'POST', '/app/sign-in-codes', '{}');
  return (JSON.parse(text) as { link: string }).link;
}

/** Signs in with a link, works, and loads the page anew; answers the session's token. */
async function signInAndReload(page: Page, link: string): Promise<string> {
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/app/sign-in'));
  await page.goto(link);
  const { token } = (await (await answered).json()) as { token: string };
  await page.locator('html[data-ready="true"]').waitFor({ state: 'attached' });
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.headers().authorization !== undefined),
    page.reload(),
  ]);
  if (request.headers().authorization !== `Bearer ${token}`)
    throw new FaultError('The page does not go on with its session after a reload');
  return token;
}

async function filesBelow(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}

/** In which files each secret stands, in the two ways in which browsers write texts. */
function search(files: ReadonlyMap<string, Buffer>, secrets: readonly string[]): readonly Found[] {
  return secrets.map((secret) => {
    const forms = [Buffer.from(secret, 'latin1'), Buffer.from(secret, 'utf16le')];
    const holding = [...files].filter(([, bytes]) => forms.some((form) => bytes.includes(form)));
    return { secret, files: holding.map(([name]) => name) };
  });
}
