import { namesVersion, parseHttpDate, isUnmodifiedSince } from '../../core/api/precondition.ts';
import type { RecordService } from '../fhir/service.ts';
import type { VersionMetadata } from '../store/store.ts';
import { respondBytes, versionHeaders } from './reply.ts';
import { type ApiRequest, type ApiResponse } from './request.ts';
import { readShaping } from './fhir-routes.ts';

/** Creates the handlers that read one version. */
export function createReadHandlers(service: RecordService) {
  return {
    async read(request: ApiRequest): Promise<ApiResponse> {
      const shaping = readShaping(request);
      const version = await service.readBytes(request.type, request.id);
      const headers = versionHeaders(version);
      if (isFresh(request, version)) return { status: 304, headers };
      return respondBytes(await service.shaped(version.bytes, shaping), headers);
    },
    async vread(request: ApiRequest): Promise<ApiResponse> {
      const shaping = readShaping(request);
      const version = await service.readVersion(request.type, request.id, request.params.vid ?? '');
      const bytes = await service.shaped(Buffer.from(version.text), shaping);
      return respondBytes(bytes, versionHeaders(version));
    },
  };
}

/**
 * Returns true if the client has the current version. If-None-Match precedes the date (RFC 9110 section
 * 13.2.2).
 */
function isFresh(request: ApiRequest, { version, lastUpdated }: VersionMetadata): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return namesVersion(tags, version);
  const since = request.headers['if-modified-since'];
  const date = since === undefined ? undefined : parseHttpDate(since);
  return date !== undefined && isUnmodifiedSince(lastUpdated, date);
}
