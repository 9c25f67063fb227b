import { limits } from '../core/api/contract.ts';
import type { ValidationLevel } from '../core/fhir/validation/levels.ts';

/** What an operator decides about the server; made of the flags of `serve`. */
export interface ServerSettings {
  /** The IP address listened on; other than this machine's own it needs a certificate. */
  readonly listen: string;
  /** The base in fullUrl, Location and links, without a trailing slash; undefined for the address listened on. */
  readonly publicUrl: string | undefined;
  readonly validation: ValidationLevel;
  /** Bytes of a request's body. */
  readonly maxBody: number;
  /** Requests a minute of one token; undefined for no limit. */
  readonly rateLimit: number | undefined;
  /** Failed authentications a minute from one address before further ones are 429. */
  readonly failureLimit: number;
  /** Whether an update or patch without If-Match is refused. */
  readonly requireIfMatch: boolean;
  /** Whether a search for care plans must name whom it is about. */
  readonly requireSubject: boolean;
  /** Host names beside this machine's own, with a port or for every port. */
  readonly allowHosts: readonly string[];
  /** Origins of other pages that may call the API (CORS). */
  readonly allowOrigins: readonly string[];
  /** Paths at which a browser may arrive from another site, by a navigation alone. */
  readonly landings: readonly string[];
  /** Whether each request leaves a line in the log. */
  readonly logRequests: boolean;
  /** Whether `GET /metrics` answers. */
  readonly metrics: boolean;
}

export const defaultSettings: ServerSettings = {
  listen: '127.0.0.1',
  publicUrl: undefined,
  validation: 'standard',
  maxBody: limits.body,
  rateLimit: undefined,
  failureLimit: 20,
  requireIfMatch: false,
  requireSubject: false,
  allowHosts: [],
  allowOrigins: [],
  landings: [],
  logRequests: false,
  metrics: false,
};
