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
  /** Whether a person sits behind it: at a session, or at the desktop's window, which bears the launch's token. */
  readonly seat?: true;
  /** Who that is; absent where nobody is named. */
  readonly person?: string;
}

/**
 * What a code gives: a session of this name, with these scopes. It ends with the minted token that asked for the code, and all
 * sessions of one subject end together.
 */
export type Grant = Pick<Principal, 'name' | 'scopes' | 'mintedBy' | 'subject'>;

/** The principal of a token's SHA-256 (hex); undefined where it is unknown or revoked. */
export type TokenLookup = (sha256: string) => Principal | 'expired' | undefined;

/** The holder of the launch's token, or of the token file's; also who comes with a code of the command line. */
export const owner: Principal = { id: ownerName, name: ownerName, scopes: [everything], kind: 'owner' };
