/**
 * server/access: principals, secrets and sign-in codes. Called by server/http and the command line.
 * Independent of HTTP.
 *
 * Invariant: each request looks its token up again by its SHA-256.
 */
import { fullScope } from '../../core/app/scopes.ts';
import { ownerName } from '../../core/app/tokens.ts';

/** The caller of a request. */
export interface Principal {
  /** Id of the session or created token. An access token has the id of the token that obtained it. */
  readonly id: string;
  /** Author in the history. */
  readonly name: string;
  readonly scopes: readonly string[];
  /**
   * `owner`: launch token or token file. `session`: started with a code. `minted`: a created token.
   * `issued`: obtained at `/oauth2/token`.
   */
  readonly kind: 'owner' | 'session' | 'minted' | 'issued';
  /** Created token that ends the session. */
  readonly mintedBy?: string;
  /** Subject of a session at its OpenID provider. */
  readonly subject?: string;
  /** Latest end in milliseconds since the epoch. Undefined without a limit. */
  readonly until?: number;
  /** True for sessions of people and for the desktop window with the launch token. */
  readonly seat?: true;
  /** Name of the current person. Undefined without a person. */
  readonly person?: string;
}

/** Members that a code, session or token inherits from its creator. Each ends with its creator. */
export interface InheritedMembers extends Pick<Principal, 'mintedBy' | 'subject' | 'until'> {
  /** Id of the session or created token that created it. */
  readonly maker?: string;
}

/** Name and scopes of the session that a code starts. All sessions of one subject end together. */
export type Grant = Pick<Principal, 'name' | 'scopes'> & InheritedMembers;

/** Looks up a token by its SHA-256 in hex. Undefined if it is unknown or revoked. */
export type TokenLookup = (sha256: string) => Principal | 'expired' | undefined;

/** Principal of the launch token, the token file and codes of the command line. */
export const owner: Principal = { id: ownerName, name: ownerName, scopes: [fullScope], kind: 'owner' };

/**
 * Returns the members that a credential inherits from its creator. Credentials of the owner are independent.
 */
export function inheritFrom({ kind, id, mintedBy, subject, until }: Principal): InheritedMembers {
  const token = kind === 'minted' || kind === 'issued' ? id : mintedBy;
  return {
    ...(kind !== 'owner' && { maker: id }),
    ...(token !== undefined && { mintedBy: token }),
    ...(subject !== undefined && { subject }),
    ...(until !== undefined && { until }),
  };
}
