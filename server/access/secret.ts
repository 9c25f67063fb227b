import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, in the alphabet of a Bearer token (RFC 6750 section 2.1). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A token's SHA-256 in hex: what is compared and stored in its place. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
