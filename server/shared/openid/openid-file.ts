/**
 * server/shared/openid: sign-in at an OpenID provider (settings, code flow, roles to scopes). Called by serve.ts
 * and server/shared/openid/openid-routes.ts. Independent of HTTP.
 *
 * Invariant: a person without a known role gets no session, and the secrets of a started sign-in never leave
 * this process.
 */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { isLoopback } from '../../../core/app/base-url.ts';
import { parseScope } from '../../../core/app/scopes.ts';
import { parseAs, type Shape } from '../../../core/json/shape.ts';
import { isAccessibleToOthers, readFlagFile } from '../../access/private-file.ts';

function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isAllowedProtocol = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isAllowedProtocol && search === '' && hash === '';
}

const areScopes = (text: string) => text.split(' ').every((scope) => parseScope(scope) !== undefined);

const Text = v.pipe(v.string(), v.nonEmpty());

const OpenIdFile = v.strictObject({
  issuer: v.pipe(v.string(), v.check(isSafe)),
  clientId: Text,
  /** Path relative to the folder of this file. Undefined for a public client. */
  clientSecretFile: v.exactOptional(Text),
  /** Scope requested from the provider. */
  scope: v.optional(v.pipe(v.string(), v.regex(/(?:^| )openid(?: |$)/)), 'openid profile'),
  /** Claim of the ID token with the name. */
  nameClaim: v.optional(Text, 'preferred_username'),
  /** Claim with the roles, or a path through objects: `["realm_access", "roles"]`. */
  roleClaim: v.optional(v.union([Text, v.pipe(v.array(Text), v.nonEmpty())]), 'roles'),
  /** SMART scopes by role, separated by spaces. */
  roles: v.pipe(
    v.record(Text, v.pipe(v.string(), v.check(areScopes))),
    v.check((roles) => Object.keys(roles).length > 0),
  ),
});

/** Settings of sign-in at a provider. */
export type OpenIdSettings = Omit<Shape<typeof OpenIdFile>, 'clientSecretFile'> & {
  readonly clientSecret?: string;
};

/**
 * Reads the settings.
 *
 * @param publicUrl - Public address. Without one, the server has a certificate or serves this machine only.
 * @throws Error with a message for users if the file or its secret is unusable, or if codes would return
 *   unencrypted over a network.
 */
export async function readOpenIdSettings(
  file: string,
  publicUrl: string | undefined,
): Promise<OpenIdSettings> {
  if (publicUrl !== undefined && !isSafe(publicUrl)) {
    throw new Error('--openid needs an https address in --public-url, where people return after signing in.');
  }
  const parsed = parseAs(OpenIdFile, await readFlagFile('--openid', file));
  if (!parsed) {
    throw new Error(
      `--openid: ${file} is invalid: issuer (https), clientId, and roles with their scopes are required. See docs/openid.md.`,
    );
  }
  const { clientSecretFile, ...settings } = parsed;
  if (clientSecretFile === undefined) return settings;
  const path = resolve(dirname(file), clientSecretFile);
  const clientSecret = (await readFlagFile('--openid', path)).trim();
  const { mode } = await stat(path);
  if (isAccessibleToOthers(mode)) {
    throw new Error(`--openid: ${path} is accessible to other accounts. Run chmod 600 on it.`);
  }
  if (clientSecret === '') throw new Error(`--openid: ${path} contains no secret.`);
  return { ...settings, clientSecret };
}
