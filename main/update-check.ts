/*
 * Looks whether a newer version is there, when the user asks and somebody has configured where: a file of the publisher's
 * that is signed. It downloads and installs nothing, and asks nobody of its own accord.
 */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { app, dialog, type BrowserWindow } from 'electron';
import * as v from 'valibot';
import { parseAs, type Shape } from '../core/json/shape.ts';
import { text } from './text.ts';

const httpsAddress = v.pipe(
  v.string(),
  v.url(),
  v.check((address) => new URL(address).protocol === 'https:'),
);

/** `updates.json` in the application's folder; without it nothing is asked. */
const UpdateSource = v.object({
  address: httpsAddress,
  /** The publisher's Ed25519 key: SPKI, DER, base64. */
  key: v.string(),
});

/** The file at that address: the text of a release, and the signature over its bytes as UTF-8, base64. */
const SignedRelease = v.object({ release: v.string(), signature: v.string() });

const plainVersion = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** What is signed. The product is named, so that no other text under the same key is taken for it. */
const Release = v.object({
  product: v.literal('chartkeeper'),
  version: v.pipe(v.string(), v.regex(plainVersion)),
  /** Where a person gets it. */
  page: httpsAddress,
});
type Release = Shape<typeof Release>;

/** What looking came to. */
type UpdateVerdict =
  | { readonly kind: 'off' }
  | { readonly kind: 'newest' }
  | { readonly kind: 'newer'; readonly version: string; readonly page: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Milliseconds for the whole answer, and its longest text. */
const patience = 10_000;
const mostBytes = 65_536;

interface UpdateCheck {
  /** Path of `updates.json`. */
  readonly file: string;
  /** The version that runs. */
  readonly version: string;
  /** The part of the global `fetch` that is used. */
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
}

/** Asks the configured address once. What is not signed by the configured key, or no newer, is never told as newer. */
export async function lookForUpdate({ file, version, fetch }: UpdateCheck): Promise<UpdateVerdict> {
  const kept = readKept(file);
  if (kept === undefined) return { kind: 'off' };
  const source = parseAs(UpdateSource, kept);
  const key = source && publicKey(source.key);
  if (!source || !key) return { kind: 'failed', reason: text.update.notConfigured(file) };
  const answer = await ask(source.address, fetch);
  if (answer === undefined) return { kind: 'failed', reason: text.update.noAnswer };
  const release = signedRelease(answer, key);
  if (!release) return { kind: 'failed', reason: text.update.notSigned };
  return isNewer(release.version, version)
    ? { kind: 'newer', version: release.version, page: release.page }
    : { kind: 'newest' };
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function publicKey(base64: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The text at an address; undefined where there is none of reasonable length in reasonable time. */
async function ask(address: string, fetch: UpdateCheck['fetch']): Promise<string | undefined> {
  try {
    const answer = await fetch(address, {
      // Nothing of this machine goes along, and nobody leads elsewhere.
      ...{ credentials: 'omit', redirect: 'error', cache: 'no-store', referrerPolicy: 'no-referrer' },
      signal: AbortSignal.timeout(patience),
    });
    if (!answer.ok || !answer.body) return undefined;
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of answer.body) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > mostBytes) return undefined;
    }
    return Buffer.concat(pieces).toString('utf8');
  } catch {
    return undefined;
  }
}

function signedRelease(answer: string, key: KeyObject): Release | undefined {
  const signed = parseAs(SignedRelease, answer);
  if (!signed) return undefined;
  const isGenuine = verify(null, Buffer.from(signed.release), key, Buffer.from(signed.signature, 'base64'));
  return isGenuine ? parseAs(Release, signed.release) : undefined;
}

/** Whether a version is above the one that runs, each part compared as a number; one made from sources has none. */
export function isNewer(offered: string, running: string): boolean {
  const [theirs, ours] = [offered, running].map((version) =>
    version.split('.').map((part) => parseInt(part)),
  );
  for (const [index, part] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0;
    if (part !== own) return part > own;
  }
  return false;
}

/** Looks for a newer version and says what came of it. */
export async function tellUpdate(window: BrowserWindow, file: string): Promise<void> {
  const version = app.getVersion();
  const verdict = await lookForUpdate({ file, version, fetch });
  await dialog.showMessageBox(window, {
    type: verdict.kind === 'failed' ? 'error' : 'info',
    title: text.name,
    ...wordsOf(verdict, version, file),
    buttons: [text.close],
  });
}

function wordsOf(
  verdict: UpdateVerdict,
  version: string,
  file: string,
): { readonly message: string; readonly detail: string } {
  const { update } = text;
  switch (verdict.kind) {
    case 'off':
      return { message: update.off, detail: update.offDetail(file) };
    case 'newest':
      return { message: update.newest(version), detail: '' };
    case 'newer':
      return { message: update.newer(verdict.version), detail: update.newerDetail(version, verdict.page) };
    case 'failed':
      return { message: update.failed, detail: verdict.reason };
  }
}
