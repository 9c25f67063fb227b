import type { Grant } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import type { OpenIdSettings } from './openid-file.ts';

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

const mostName = 100;

/** Letters of the mark that tells two people of one name apart. */
const markLength = 8;

/**
 * What the claims of an ID token give: a session with the scopes of all roles that the table knows; undefined where it knows
 * none of them. A name is what the provider lets people write, so that a mark made of issuer and subject stands behind
 * it: nobody passes for another, or for `owner`.
 */
export function grantOf(claims: Claims, settings: OpenIdSettings): Grant | undefined {
  const { roles: table, nameClaim, roleClaim } = settings;
  const known = rolesIn(claims, [roleClaim].flat()).filter((role) => Object.hasOwn(table, role));
  const scopes = [...new Set(known.flatMap((role) => (table[role] ?? '').split(' ')))];
  if (scopes.length === 0) return undefined;
  const subject = hashToken(`${claims.iss} ${claims.sub}`);
  const claimed = claims[nameClaim];
  const name = (typeof claimed === 'string' ? claimed : claims.sub).replaceAll(/\p{C}+/gu, ' ').trim();
  return { name: `${name.slice(0, mostName)} (${subject.slice(0, markLength)})`, scopes, subject };
}

/** The texts at a claim; a provider with one role may send it without a list. */
function rolesIn(claims: Claims, path: readonly string[]): readonly string[] {
  const found = path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    claims,
  );
  return [found].flat().filter((one) => typeof one === 'string');
}
