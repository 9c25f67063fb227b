import { chromium, type Page } from '@playwright/test';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createToken } from '../../server/access/secret.ts';
import { browserFlags, findFullBrowser } from '../../scripts/browser.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';

/** Sign-ins in one browser profile, with links of both kinds. */
const signIns = { short: 2, full: 10 } as const;

/** Searches the profile of a browser byte by byte for secrets of its user. */
export const tokenOnDisk: FaultCase = {
  name: 'token-on-disk',
  claim:
    'The files that a browser stores for people who sign in let nobody in. No file of its profile contains a session, a token of a file, or a code that is still valid.',
  parallel: true,
  run,
};

/** A secret, and the files of the profile that contain it. */
interface SecretSearch {
  readonly secret: string;
  readonly files: readonly string[];
}

async function run({ runLength, folder, tally }: FaultContext): Promise<FaultResult> {
  const executablePath = findFullBrowser();
  if (executablePath === undefined) return { result: 'not run', reason: 'There is no Chromium here.' };
  const dataDir = join(folder, 'data');
  const profile = join(folder, 'profile');
  await mkdir(dataDir);
  const server = await startServer(dataDir);
  const controlToken = createToken();
  const codes: string[] = [];
  const sessions: string[] = [];
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...browserFlags],
  });
  try {
    // Control: an address with a permanent token must be found, otherwise the search does not work.
    await (await context.newPage()).goto(`http://127.0.0.1:${server.port}/#token=${controlToken}`);
    for (let round = 0; round < signIns[runLength]; round += 1) {
      const link = round % 2 === 0 ? await createLinkByCommand(dataDir) : await createLinkByRequest(server);
      codes.push(link.split('#code=')[1] ?? '');
      sessions.push(await signInAndReload(await context.newPage(), link));
      tally.add('sign-ins in one profile', 1);
    }
  } finally {
    await context.close();
  }
  const files = await readFilesBelow(profile);
  tally.add('files of the profile', files.size);
  const [control] = search(files, [controlToken]);
  if (!control || control.files.length === 0) {
    throw new FaultError('The search does not even find an address that was opened');
  }
  tally.add('files with the address that was opened', control.files.length);
  const [leakedToken] = search(files, [server.token, ...sessions]).filter((match) => match.files.length > 0);
  if (leakedToken) throw new FaultError(`A token that works stands in ${leakedToken.files.join(', ')}`);
  tally.add('sessions and file tokens on the disk', 0);
  const usedCodes = search(files, codes).filter((match) => match.files.length > 0);
  tally.add('used codes on the disk', usedCodes.length);
  for (const code of codes) {
    const { status } = await send(server, 'POST', '/app/sign-in', JSON.stringify({ code }));
    if (status !== 401) throw new FaultError(`A code that was used is answered ${status}`);
  }
  tally.add('of these that still work', 0);
  await server.stop();
  return { result: 'passed', figures: tally.figures };
}

async function createLinkByCommand(dataDir: string): Promise<string> {
  const { stdout } = await runCommand(['link', '--data', dataDir]);
  return stdout.trim().replace('Open ', '');
}

async function createLinkByRequest(server: FaultServer): Promise<string> {
  const { text } = await send(server, 'POST', '/app/sign-in-codes', '{}');
  return (JSON.parse(text) as { link: string }).link;
}

/** Signs in with a link and reloads the page. Returns the token of the session. */
async function signInAndReload(page: Page, link: string): Promise<string> {
  const signInResponse = page.waitForResponse((response) => response.url().endsWith('/app/sign-in'));
  await page.goto(link);
  const { token } = (await (await signInResponse).json()) as { token: string };
  await page.locator('html[data-ready="true"]').waitFor({ state: 'attached' });
  const [request] = await Promise.all([
    page.waitForRequest((pageRequest) => pageRequest.headers().authorization !== undefined),
    page.reload(),
  ]);
  if (request.headers().authorization !== `Bearer ${token}`)
    throw new FaultError('The page does not go on with its session after a reload');
  return token;
}

async function readFilesBelow(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}

/** Searches the files for each secret in the two encodings that browsers use. */
function search(files: ReadonlyMap<string, Buffer>, secrets: readonly string[]): readonly SecretSearch[] {
  return secrets.map((secret) => {
    const forms = [Buffer.from(secret, 'latin1'), Buffer.from(secret, 'utf16le')];
    const matchingFiles = [...files].filter(([, bytes]) => forms.some((form) => bytes.includes(form)));
    return { secret, files: matchingFiles.map(([name]) => name) };
  });
}
