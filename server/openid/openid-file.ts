/**
 * server/openid lets people sign in at their organisation's OpenID provider: settings, the code flow, roles to scopes.
 * Called by serve.ts and server/http/openid-routes.ts; knows no Express. Invariant: who has none of the roles in the table gets
 * no session, and what a sign-in was begun with never leaves this process.
 */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { isLoopback } from '../../core/app/base-url.ts';
import { parseScope } from '../../core/app/scopes.ts';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import { isOpenToOthers, textOfFlag } from '../access/private-file.ts';

function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const safe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return safe && search === '' && hash === '';
}

const areScopes = (text: string) => text.split(' ').every((scope) => parseScope(scope) !== undefined);

const Text = v.pipe(v.string(), v.nonEmpty());

const OpenIdFile = v.strictObject({
  issuer: v.pipe(v.string(), v.check(isSafe)),
  clientId: Text,
  /** Path, from the folder of this file; absent for a public client. */
  clientSecretFile: v.exactOptional(Text),
  /** What is asked of the provider. */
  scope: v.optional(v.pipe(v.string(), v.regex(/(?:^| )openid(?: |$)/)), 'openid profile'),
  /** Claim of the ID token that names the person. */
  nameClaim: v.optional(Text, 'preferred_username'),
  /** Claim that holds the roles, or the way to it through objects: `["realm_access", "roles"]`. */
  roleClaim: v.optional(v.union([Text, v.pipe(v.array(Text), v.nonEmpty())]), 'roles'),
  /** SMART scopes by role, with a space between two. */
  roles: v.pipe(
    v.record(Text, v.pipe(v.string(), v.check(areScopes))),
    v.check((roles) => Object.keys(roles).length > 0),
  ),
});

/** How people sign in at a provider. */
export type OpenIdSettings = Omit<Shape<typeof OpenIdFile>, 'clientSecretFile'> & {
  readonly clientSecret?: string;
};

/**
 * The settings in a file; undefined where none is named. `publicUrl` is where a server is known: without one it has a
 * certificate, or is this machine's alone.
 *
 * @throws Error with a sentence where the file, or that of the secret, cannot be used, and where the provider's codes would
 *   come back over a network in clear.
 */
export async function openIdIn(
  file: string | undefined,
  publicUrl: string | undefined,
): Promise<OpenIdSettings | undefined> {
  if (file === undefined) return undefined;
  if (publicUrl !== undefined && !isSafe(publicUrl)) {
    throw new Error(
      '--openid needs an https address at --public-url: what signs people in comes back there.',
    );
  }
  const read = parseAs(OpenIdFile, await textOfFlag('--openid', file));
  if (!read) {
    throw new Error(
      `--openid: ${file} is not as docs/openid.md has it: issuer (https), clientId, and roles with the scopes of each are expected.`,
    );
  }
  const { clientSecretFile, ...settings } = read;
  if (clientSecretFile === undefined) return settings;
  const path = resolve(dirname(file), clientSecretFile);
  const clientSecret = (await textOfFlag('--openid', path)).trim();
  const { mode } = await stat(path);
  if (isOpenToOthers(mode)) {
    throw new Error(`--openid: ${path} is open to other accounts. Close it with chmod 600.`);
  }
  if (clientSecret === '') throw new Error(`--openid: ${path} holds no secret.`);
  return { ...settings, clientSecret };
}
