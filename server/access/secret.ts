import { hash, randomBytes } from 'node:crypto';

/** Returns 256 random bits in the alphabet of a Bearer token (RFC 6750 section 2.1). */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a token in hex. Only the hash is stored and compared. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
