/** Writes that overwrite nothing unawares: each names the version that it starts from, and says where that is stale. */
import type { ResourceType } from '../fhir/resource.ts';
import { equal } from '../json/equal.ts';
import { scan } from '../json/scan.ts';
import { wholeIn, withOwnTag, type RecordVersion } from './answered-record.ts';
import { readHead } from './answers.ts';
import { ApiFailure, changedMeanwhile, refusedOwnName, Unconfirmed, unnamedVersion } from './failure.ts';
import { isAsked, versionIdOf } from './identity.ts';
import { ifMatchOf, isSameTag } from './precondition.ts';
import { hostOf, type RemoteServer } from './remote.ts';
import { agreedTo, type WriteBase } from './write-base.ts';

interface Ways {
  readonly remote: RemoteServer | undefined;
  readonly address: (type: ResourceType, id: string) => string;
  readonly send: (
    method: string,
    path: string,
    body: string,
    headers: Record<string, string>,
  ) => Promise<RecordVersion>;
  readonly read: (type: ResourceType, id: string) => Promise<RecordVersion>;
}

/** Creates the update and the patch of a client. */
export function guardedWrites({ remote, address, send, read }: Ways) {
  /**
   * Returns the headers of a write. A server without ETags may heed no If-Match: the record is compared first, and what
   * changes between the two is not noticed there.
   *
   * @throws ApiFailure where the write cannot name its version, or the record is another by now.
   */
  async function guard(type: ResourceType, id: string, from: WriteBase): Promise<Record<string, string>> {
    const agreed = agreedTo(from);
    const match = matchOf(from);
    if (match !== undefined && (!remote || from.etag !== undefined)) return { ...agreed, 'If-Match': match };
    if (from.anyVersion) return agreed;
    if (!remote || from.text === undefined) throw new ApiFailure(400, unnamedVersion, undefined, remote?.id);
    const now = await read(type, id);
    if (!isSameText(now.text, from.text)) throw new ApiFailure(412, changedMeanwhile, now.version, remote.id);
    const known = matchOf(now);
    return known === undefined ? agreed : { ...agreed, 'If-Match': known };
  }

  /** The version that a write made; read where the server answers without it, or with an extract. */
  async function written(type: ResourceType, id: string, answer: RecordVersion): Promise<RecordVersion> {
    const record = wholeIn(answer, type);
    if (!record) return read(type, id);
    if (!isAsked(record, { type, id })) throw new Unconfirmed(undefined);
    return withOwnTag(answer, record, remote);
  }

  /**
   * Returns what a refused write is rejected with. Some servers answer 409 to a stale version, as STU3 had it: 412 where
   * the record is another version by now. A 412 of a version that still stands is no conflict of two texts, and is 409.
   */
  async function refusal(error: unknown, type: ResourceType, id: string, from: WriteBase): Promise<unknown> {
    if (!remote || !(error instanceof ApiFailure) || ![409, 412].includes(error.status)) return error;
    const now = await read(type, id).catch(() => undefined);
    const stands = now && isStill(now, from);
    if (stands === undefined || stands === (error.status === 409)) return error;
    const said = error.outcome ?? { resourceType: 'OperationOutcome', issue: [] };
    const ours = {
      severity: 'error',
      code: 'conflict',
      details: { text: refusedOwnName(matchOf(from) ?? '*') },
    } as const;
    const [status, outcome] = stands
      ? [409, { ...said, issue: [ours, ...said.issue] }]
      : [412, error.outcome];
    return new ApiFailure(status, outcome, now?.version, error.connection, error.retryAfter, hostOf(remote));
  }

  const change = async (method: string, type: ResourceType, id: string, body: string, from: WriteBase) => {
    const headers = await guard(type, id, from);
    try {
      return await written(type, id, await send(method, address(type, id), body, headers));
    } catch (error) {
      throw await refusal(error, type, id, from);
    }
  };
  return {
    update: (type: ResourceType, id: string, text: string, from: WriteBase = {}): Promise<RecordVersion> =>
      change('PUT', type, id, text, from),
    patch: (
      type: ResourceType,
      id: string,
      operations: string,
      from: WriteBase = {},
    ): Promise<RecordVersion> => change('PATCH', type, id, operations, from),
  };
}

/** The If-Match of what a write starts from; its text is looked at only where it has no ETag. */
function matchOf({ etag, text }: WriteBase): string | undefined {
  if (etag !== undefined || text === undefined) return etag;
  return ifMatchOf({ versionId: versionIdOf(readHead(text)) });
}

/** True if a record is still the version that a write began from; undefined where that is not known. */
function isStill(now: RecordVersion, { etag, text }: WriteBase): boolean | undefined {
  if (etag !== undefined && now.etag !== undefined) return isSameTag(etag, now.etag);
  return text === undefined ? undefined : isSameText(now.text, text);
}

function isSameText(one: string, other: string): boolean {
  return equal(scan(one).root, scan(other).root);
}
