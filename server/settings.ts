import { limits } from '../core/api/contract.ts';
import type { ValidationLevel } from '../core/fhir/validation/levels.ts';

/** Settings of an operator, from the flags of `serve`. */
export interface ServerSettings {
  /** IP address to listen on. An address other than loopback requires a certificate. */
  readonly listen: string;
  /** Base of fullUrl, Location and links, without a trailing slash. Default: the address listened on. */
  readonly publicUrl: string | undefined;
  readonly validation: ValidationLevel;
  /** Largest request body in bytes. */
  readonly maxBody: number;
  /** Requests per token and minute. Undefined: no limit. */
  readonly rateLimit: number | undefined;
  /** Failed authentications per address and minute. More are rejected with 429. */
  readonly failureLimit: number;
  /** True if updates and patches require If-Match. */
  readonly requireIfMatch: boolean;
  /** True if a search for care plans requires a subject. */
  readonly requireSubject: boolean;
  /** Additional host names, with a port or for every port. */
  readonly allowHosts: readonly string[];
  /** Origins of other pages that may call the API (CORS). */
  readonly allowOrigins: readonly string[];
  /** Paths that accept navigations from other sites. */
  readonly landings: readonly string[];
  /** True if each request is logged. */
  readonly logRequests: boolean;
  /** True if `GET /metrics` is available. */
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
