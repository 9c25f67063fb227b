import { confirmedHeader } from '../app/connections.ts';
import { provenanceHeader } from './provenance.ts';

/** What a write starts from, so that it overwrites nothing unawares. */
export interface WriteBase {
  /** The ETag that came with the version: sent back as If-Match. */
  readonly etag?: string | undefined;
  /**
   * The record's text. Without an ETag its `meta.versionId` names the version, and at another server it is compared with
   * what that holds, right before the write.
   */
  readonly text?: string | undefined;
  /** True if any version may be written over, as the steward said: nothing was read that could name one. */
  readonly anyVersion?: boolean | undefined;
  /** The host that the steward confirmed this write to. */
  readonly confirmed?: string | undefined;
  /** Why, as the value of an `X-Provenance` header. */
  readonly provenance?: string | undefined;
}

/** The headers of what was agreed to, and why. */
export function agreedTo({ confirmed, provenance }: WriteBase): Record<string, string> {
  return {
    ...(confirmed !== undefined && { [confirmedHeader]: confirmed }),
    ...(provenance !== undefined && { [provenanceHeader]: provenance }),
  };
}
