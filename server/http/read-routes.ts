import type { Request, Response } from 'express';
import { etagOf } from '../../core/api/precondition.ts';
import { resultParametersOf } from '../../core/api/parameters.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { RecordService } from '../fhir/service.ts';
import type { VersionFacts } from '../store/store.ts';
import { sendBytes, sendVersion, versionHeaders } from './reply.ts';
import { idOf, pairsOf, typeOf } from './request.ts';

/** Answers of the operations that read one version. */
export function readAnswers(service: RecordService) {
  return {
    async read(request: Request, response: Response): Promise<void> {
      checkParameters(request);
      const version = await service.readBytes(typeOf(request), idOf(request));
      if (isFresh(request, version)) response.status(304).set(versionHeaders(version)).end();
      else sendBytes(response, 200, version.bytes, versionHeaders(version));
    },
    async vread(request: Request, response: Response): Promise<void> {
      checkParameters(request);
      const { vid } = request.params;
      const version = await service.readVersion(
        typeOf(request),
        idOf(request),
        typeof vid === 'string' ? vid : '',
      );
      sendVersion(response, 200, version);
    },
  };
}

const known = resultParametersOf('read').map(({ name }) => name);

/** A read takes what shapes its answer and nothing else. */
function checkParameters(request: Request): void {
  const unknown = pairsOf(request).find(([name]) => !known.includes(name));
  if (!unknown) return;
  throw new FhirError('not-accepted', {
    text: `This parameter is not known here. A read takes ${known.join(', ')}.`,
    location: `http.${unknown[0].slice(0, 64)}`,
  });
}

/** Whether the client holds the current version (RFC 9110 section 13.2.2: If-None-Match goes before the date). */
function isFresh(request: Request, { version, lastUpdated }: VersionFacts): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) {
    const current = etagOf(version).replace('W/', '');
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === current);
  }
  const after = request.headers['if-modified-since'];
  if (after === undefined) return false;
  const since = Date.parse(after);
  // An HTTP date has whole seconds.
  return Math.floor(Date.parse(lastUpdated) / 1000) * 1000 <= since;
}
