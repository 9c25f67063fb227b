/** Writes with optimistic locking: each names its base version and reports a stale one. */
import { detailsOf } from '../fhir/outcome.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { equal } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { readFullRecord, withOwnTag, type RecordVersion } from './answered-record.ts';
import { readResponseHead } from './answers.ts';
import {
  ApiFailure,
  concurrentChange,
  refusedOwnName,
  UnconfirmedWriteError,
  unnamedVersion,
} from './failure.ts';
import { matchesIdentity, versionIdOf } from './identity.ts';
import { ifMatchOf, isSameTag } from './precondition.ts';
import { hostOf, type RemoteServer } from './remote.ts';
import { toConfirmationHeaders, type WriteBase } from './write-base.ts';

interface WriteRequests {
  readonly remote: RemoteServer | undefined;
  readonly address: (type: ResourceType, id: string) => string;
  readonly send: (
    method: string,
    path: string,
    body: string,
    headers: Record<string, string>,
  ) => Promise<RecordVersion>;
  readonly readRecord: (type: ResourceType, id: string) => Promise<RecordVersion>;
}

/** Creates the update and the patch of a client. */
export function guardedWrites({ remote, address, send, readRecord }: WriteRequests) {
  /**
   * Returns the headers of a write. A server without ETags may ignore If-Match, so the current record is
   * compared first. A change between comparison and write stays unnoticed.
   *
   * @throws ApiFailure if the base version is unknown or the record has changed.
   */
  async function guard(type: ResourceType, id: string, base: WriteBase): Promise<Record<string, string>> {
    const confirmationHeaders = toConfirmationHeaders(base);
    const ifMatch = matchOf(base);
    if (ifMatch !== undefined && (!remote || base.etag !== undefined))
      return { ...confirmationHeaders, 'If-Match': ifMatch };
    if (base.anyVersion) return confirmationHeaders;
    if (!remote || base.text === undefined) throw new ApiFailure(400, unnamedVersion, undefined, remote?.id);
    const currentRecord = await readRecord(type, id);
    if (!isSameText(currentRecord.text, base.text))
      throw new ApiFailure(412, concurrentChange, currentRecord.version, remote.id);
    const currentTag = matchOf(currentRecord);
    return currentTag === undefined
      ? confirmationHeaders
      : { ...confirmationHeaders, 'If-Match': currentTag };
  }

  /** Returns the version after a write. Reads it if the response lacks it or has an extract. */
  async function readWrittenVersion(
    type: ResourceType,
    id: string,
    response: RecordVersion,
  ): Promise<RecordVersion> {
    const record = readFullRecord(response, type);
    if (!record) return readRecord(type, id);
    if (!matchesIdentity(record, { type, id })) throw new UnconfirmedWriteError(undefined);
    return withOwnTag(response, record, remote);
  }

  /**
   * Returns the error of a rejected write. Some servers send 409 for a stale version, as in STU3: it becomes
   * 412 if the record has changed. A 412 for an unchanged record is not an edit conflict and becomes 409.
   */
  async function toWriteError(
    error: unknown,
    type: ResourceType,
    id: string,
    base: WriteBase,
  ): Promise<unknown> {
    if (!remote || !(error instanceof ApiFailure) || ![409, 412].includes(error.status)) return error;
    const currentRecord = await readRecord(type, id).catch(() => undefined);
    const isUnchanged = currentRecord && isBaseVersion(currentRecord, base);
    if (isUnchanged === undefined || isUnchanged === (error.status === 409)) return error;
    const serverOutcome = error.outcome ?? { resourceType: 'OperationOutcome', issue: [] };
    const ours = {
      severity: 'error',
      code: 'conflict',
      details: detailsOf(refusedOwnName(matchOf(base) ?? '*')),
    } as const;
    const [status, outcome] = isUnchanged
      ? [409, { ...serverOutcome, issue: [ours, ...serverOutcome.issue] }]
      : [412, error.outcome];
    return new ApiFailure(
      status,
      outcome,
      currentRecord?.version,
      error.connection,
      error.retryAfter,
      hostOf(remote),
    );
  }

  const sendChange = async (
    method: string,
    type: ResourceType,
    id: string,
    body: string,
    base: WriteBase,
  ) => {
    const headers = await guard(type, id, base);
    try {
      return await readWrittenVersion(type, id, await send(method, address(type, id), body, headers));
    } catch (error) {
      throw await toWriteError(error, type, id, base);
    }
  };
  return {
    update: (type: ResourceType, id: string, text: string, base: WriteBase = {}): Promise<RecordVersion> =>
      sendChange('PUT', type, id, text, base),
    patch: (
      type: ResourceType,
      id: string,
      operations: string,
      base: WriteBase = {},
    ): Promise<RecordVersion> => sendChange('PATCH', type, id, operations, base),
  };
}

/** Returns the If-Match of a base version. Its text is parsed only if there is no ETag. */
function matchOf({ etag, text }: WriteBase): string | undefined {
  if (etag !== undefined || text === undefined) return etag;
  return ifMatchOf({ versionId: versionIdOf(readResponseHead(text)) });
}

/** Returns true if a record is still the base version of a write; undefined if unknown. */
function isBaseVersion(currentRecord: RecordVersion, { etag, text }: WriteBase): boolean | undefined {
  if (etag !== undefined && currentRecord.etag !== undefined) return isSameTag(etag, currentRecord.etag);
  return text === undefined ? undefined : isSameText(currentRecord.text, text);
}

function isSameText(text: string, otherText: string): boolean {
  return equal(scan(text).root, scan(otherText).root);
}
