import type { IncomingHttpHeaders } from 'node:http';

/** The token that a request bears (RFC 6750 section 2.1); blank where there is none. */
export function bearerIn({ authorization = '' }: IncomingHttpHeaders): string {
  return /^Bearer +(.*)$/i.exec(authorization)?.[1]?.trim() ?? '';
}
