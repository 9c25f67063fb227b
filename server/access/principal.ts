/**
 * server/access says who may do what: principals, secrets, codes to sign in with. Called by server/http and the command
 * line; knows no Express. Invariant: a token is looked up anew for each request, by its SHA-256 alone.
 */
import { everything } from '../../core/app/scopes.ts';
import { ownerName } from '../../core/app/tokens.ts';

/** Who sends a request. */
export interface Principal {
  /** The minted token's id, also behind an access token that it obtained; a session's own. */
  readonly id: string;
  /** Stands as the author in the history. */
  readonly name: string;
  readonly scopes: readonly string[];
  /**
   * `owner`: the launch's token, or that of a file; `session`: a person's, begun with a code; `minted`: a long-lived one;
   * `issued`: obtained at `/oauth2/token`.
   */
  readonly kind: 'owner' | 'session' | 'minted' | 'issued';
  /** Of a session: id of the minted token that it ends with. */
  readonly mintedBy?: string;
  /** Of a session: who that is to the provider that they signed in at. */
  readonly subject?: string;
  /** When it ends at the latest, in milliseconds since the epoch; absent where no time ends it. */
  readonly until?: number;
  /** Whether a person sits behind it: at a session, or at the desktop's window, which bears the launch's token. */
  readonly seat?: true;
  /** Who that is; absent where nobody is named. */
  readonly person?: string;
}

/** What a code, a session and a token keep of the credential that made them. Each ends with its maker, and so with the first. */
export interface Derived extends Pick<Principal, 'mintedBy' | 'subject' | 'until'> {
  /** Id of the session or the minted token that made it. */
  readonly maker?: string;
}

/** What a code gives: a session of this name, with these scopes. All sessions of one subject end together. */
export type Grant = Pick<Principal, 'name' | 'scopes'> & Derived;

/** The principal of a token's SHA-256 (hex); undefined where it is unknown or revoked. */
export type TokenLookup = (sha256: string) => Principal | 'expired' | undefined;

/** The holder of the launch's token, or of the token file's; also who comes with a code of the command line. */
export const owner: Principal = { id: ownerName, name: ownerName, scopes: [everything], kind: 'owner' };

/** Returns what a credential keeps of the principal that makes it. What the owner makes ends with no other. */
export function derivedFrom({ kind, id, mintedBy, subject, until }: Principal): Derived {
  const token = kind === 'minted' || kind === 'issued' ? id : mintedBy;
  return {
    ...(kind !== 'owner' && { maker: id }),
    ...(token !== undefined && { mintedBy: token }),
    ...(subject !== undefined && { subject }),
    ...(until !== undefined && { until }),
  };
}
