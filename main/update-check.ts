/*
 * Checks for a newer version when the user asks and the check is configured: reads a signed file of the
 * publisher. It downloads and installs nothing, and sends no request on its own.
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

/** `updates.json` in the folder of the application. Without it no request is sent. */
const UpdateSource = v.object({
  address: httpsAddress,
  /** The publisher's Ed25519 key: SPKI, DER, base64. */
  key: v.string(),
});

/** The file at that address: the text of a release, and a base64 signature of its UTF-8 bytes. */
const SignedRelease = v.object({ release: v.string(), signature: v.string() });

const plainVersion = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** The signed release. The product name prevents that another text under the same key is accepted. */
const Release = v.object({
  product: v.literal('chartkeeper'),
  version: v.pipe(v.string(), v.regex(plainVersion)),
  /** Page for the download. */
  page: httpsAddress,
});
type Release = Shape<typeof Release>;

type UpdateResult =
  | { readonly kind: 'off' }
  | { readonly kind: 'newest' }
  | { readonly kind: 'newer'; readonly version: string; readonly page: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Time limit for the response, and its maximum length. */
const timeoutMs = 10_000;
const maxResponseBytes = 65_536;

interface UpdateCheck {
  /** Path of `updates.json`. */
  readonly file: string;
  readonly version: string;
  /** The used part of the global `fetch`. */
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
}

/**
 * Sends a request to the configured address. Reports only a newer version that is signed by the configured
 * key.
 */
export async function fetchUpdate({ file, version, fetch }: UpdateCheck): Promise<UpdateResult> {
  const configText = readConfigText(file);
  if (configText === undefined) return { kind: 'off' };
  const source = parseAs(UpdateSource, configText);
  const key = source && publicKey(source.key);
  if (!source || !key) return { kind: 'failed', reason: text.update.notConfigured(file) };
  const responseText = await fetchText(source.address, fetch);
  if (responseText === undefined) return { kind: 'failed', reason: text.update.noAnswer };
  const release = verifyRelease(responseText, key);
  if (!release) return { kind: 'failed', reason: text.update.notSigned };
  return isNewer(release.version, version)
    ? { kind: 'newer', version: release.version, page: release.page }
    : { kind: 'newest' };
}

function readConfigText(file: string): string | undefined {
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

/** Returns the text at an address, or undefined if it is too long or too slow. */
async function fetchText(address: string, fetch: UpdateCheck['fetch']): Promise<string | undefined> {
  try {
    const response = await fetch(address, {
      // The request contains nothing of this machine, and redirects are rejected.
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || !response.body) return undefined;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxResponseBytes) return undefined;
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}

function verifyRelease(responseText: string, key: KeyObject): Release | undefined {
  const signed = parseAs(SignedRelease, responseText);
  if (!signed) return undefined;
  const isGenuine = verify(null, Buffer.from(signed.release), key, Buffer.from(signed.signature, 'base64'));
  return isGenuine ? parseAs(Release, signed.release) : undefined;
}

/**
 * Returns true if a version is higher than the running one, compared part by part as numbers. A version from
 * sources has no parts.
 */
export function isNewer(candidate: string, current: string): boolean {
  const [candidateParts, currentParts] = [candidate, current].map((version) =>
    version.split('.').map((part) => parseInt(part)),
  );
  for (const [index, part] of (candidateParts ?? []).entries()) {
    const currentPart = currentParts?.[index] ?? 0;
    if (part !== currentPart) return part > currentPart;
  }
  return false;
}

/** Checks for a newer version and shows the result. */
export async function showUpdate(window: BrowserWindow, file: string): Promise<void> {
  const version = app.getVersion();
  const result = await fetchUpdate({ file, version, fetch });
  await dialog.showMessageBox(window, {
    type: result.kind === 'failed' ? 'error' : 'info',
    title: text.name,
    ...formatResult(result, version, file),
    buttons: [text.close],
  });
}

function formatResult(
  result: UpdateResult,
  version: string,
  file: string,
): { readonly message: string; readonly detail: string } {
  const { update } = text;
  switch (result.kind) {
    case 'off':
      return { message: update.off, detail: update.offDetail(file) };
    case 'newest':
      return { message: update.newest(version), detail: '' };
    case 'newer':
      return { message: update.newer(result.version), detail: update.newerDetail(version, result.page) };
    case 'failed':
      return { message: update.failed, detail: result.reason };
  }
}
