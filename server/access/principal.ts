/**
 * server/access says who may do what: principals, scopes, token requests, limits of tries. Called by server/http and
 * the command line; knows no Express. Invariant: a token is looked up anew for each request, by its SHA-256 alone.
 */
import { everything } from '../../core/app/scopes.ts';
import { ownerName } from '../../core/app/tokens.ts';

/** Who sends a request. */
export interface Principal {
  /** The minted token's id, also behind an access token that it obtained. */
  readonly id: string;
  /** Stands as the author in the history. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** `owner`: the launch's token; `minted`: a long-lived one; `issued`: obtained at `/oauth2/token`. */
  readonly kind: 'owner' | 'minted' | 'issued';
}

/** The principal of a token's SHA-256 (hex); undefined where it is unknown or revoked. */
export type TokenLookup = (sha256: string) => Principal | 'expired' | undefined;

/** The holder of the launch's token, which is never stored. */
export const owner: Principal = { id: ownerName, name: ownerName, scopes: [everything], kind: 'owner' };
