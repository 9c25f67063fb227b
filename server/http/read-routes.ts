import type { Request, Response } from 'express';
import { httpDate, isUnmodifiedSince } from '../../core/api/http-date.ts';
import { namesVersion } from '../../core/api/precondition.ts';
import type { RecordService } from '../fhir/service.ts';
import type { VersionFacts } from '../store/store.ts';
import { sendBytes, versionHeaders } from './reply.ts';
import { idOf, typeOf } from './request.ts';
import { shapingOf } from './shaping.ts';

/** Answers of the operations that read one version. */
export function readAnswers(service: RecordService) {
  return {
    async read(request: Request, response: Response): Promise<void> {
      const shaping = shapingOf(request);
      const version = await service.readBytes(typeOf(request), idOf(request));
      if (isFresh(request, version)) response.status(304).set(versionHeaders(version)).end();
      else sendBytes(response, 200, await service.shaped(version.bytes, shaping), versionHeaders(version));
    },
    async vread(request: Request, response: Response): Promise<void> {
      const shaping = shapingOf(request);
      const { vid } = request.params;
      const version = await service.readVersion(
        typeOf(request),
        idOf(request),
        typeof vid === 'string' ? vid : '',
      );
      const bytes = await service.shaped(Buffer.from(version.text), shaping);
      sendBytes(response, 200, bytes, versionHeaders(version));
    },
  };
}

/** Whether the client holds the current version (RFC 9110 section 13.2.2: If-None-Match goes before the date). */
function isFresh(request: Request, { version, lastUpdated }: VersionFacts): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return namesVersion(tags, version);
  const since = request.headers['if-modified-since'];
  const date = since === undefined ? undefined : httpDate(since);
  return date !== undefined && isUnmodifiedSince(lastUpdated, date);
}
