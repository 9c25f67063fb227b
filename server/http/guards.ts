import type { RequestHandler } from 'express';
import { FhirError } from '../../core/fhir/outcome.ts';

/** The parts of a request by which a foreign page or a rebound name is known. */
export interface Arrival {
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  readonly port: number;
}

/**
 * Why a request is turned away before anything else looks at it: exactly one Host that is this server, and no page
 * of another origin behind it (DNS rebinding, cross-site requests). Undefined where it may pass.
 */
export function refuseForeign({ rawHeaders, port }: Arrival): FhirError | undefined {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length !== 1 || !own.includes(hosts[0]?.toLowerCase() ?? '')) {
    return new FhirError('forbidden', {
      text: `This server answers as ${own[0]} only.`,
      location: 'http.Host',
    });
  }
  const origins = valuesOf(rawHeaders, 'origin');
  const foreign = origins.some((origin) => !own.some((host) => origin === `http://${host}`));
  if (foreign || valuesOf(rawHeaders, 'sec-fetch-site').includes('cross-site')) {
    return new FhirError('forbidden', {
      text: 'Requests from other origins are refused.',
      location: 'http.Origin',
    });
  }
  return undefined;
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Refuses what {@link refuseForeign} refuses. */
export const foreignGuard: RequestHandler = (request, _response, next) => {
  next(refuseForeign({ rawHeaders: request.rawHeaders, port: request.socket.localPort ?? 0 }));
};
