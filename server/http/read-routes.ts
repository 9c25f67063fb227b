import type { Request, Response } from 'express';
import { parseHttpDate, isUnmodifiedSince } from '../../core/api/http-date.ts';
import { namesVersion } from '../../core/api/precondition.ts';
import type { RecordService } from '../fhir/service.ts';
import type { VersionMetadata } from '../store/store.ts';
import { sendBytes, versionHeaders } from './reply.ts';
import { getRecordId, getResourceType } from './request.ts';
import { readShaping } from './shaping.ts';

/** Creates the handlers that read one version. */
export function createReadHandlers(service: RecordService) {
  return {
    async read(request: Request, response: Response): Promise<void> {
      const shaping = readShaping(request);
      const version = await service.readBytes(getResourceType(request), getRecordId(request));
      if (isFresh(request, version)) response.status(304).set(versionHeaders(version)).end();
      else sendBytes(response, 200, await service.shaped(version.bytes, shaping), versionHeaders(version));
    },
    async vread(request: Request, response: Response): Promise<void> {
      const shaping = readShaping(request);
      const { vid } = request.params;
      const version = await service.readVersion(
        getResourceType(request),
        getRecordId(request),
        typeof vid === 'string' ? vid : '',
      );
      const bytes = await service.shaped(Buffer.from(version.text), shaping);
      sendBytes(response, 200, bytes, versionHeaders(version));
    },
  };
}

/**
 * Returns true if the client has the current version. If-None-Match precedes the date (RFC 9110 section
 * 13.2.2).
 */
function isFresh(request: Request, { version, lastUpdated }: VersionMetadata): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return namesVersion(tags, version);
  const since = request.headers['if-modified-since'];
  const date = since === undefined ? undefined : parseHttpDate(since);
  return date !== undefined && isUnmodifiedSince(lastUpdated, date);
}
