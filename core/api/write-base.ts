import { confirmedHeader } from '../app/connections.ts';
import { provenanceHeader } from './provenance.ts';

/** Base version of a write, so that no unseen version is overwritten. */
export interface WriteBase {
  /** ETag of the version, sent as If-Match. */
  readonly etag?: string | undefined;
  /**
   * Text of the record. Without an ETag its `meta.versionId` names the version. On a remote server it is
   * compared with the current text right before the write.
   */
  readonly text?: string | undefined;
  /** True if the steward agreed to overwrite any version, because none was read. */
  readonly anyVersion?: boolean | undefined;
  /** Host to which the steward confirmed this write. */
  readonly confirmed?: string | undefined;
  /** Reason, as the value of an `X-Provenance` header. */
  readonly provenance?: string | undefined;
}

/** Returns the headers of confirmation and reason. */
export function toConfirmationHeaders({ confirmed, provenance }: WriteBase): Record<string, string> {
  return {
    ...(confirmed !== undefined && { [confirmedHeader]: confirmed }),
    ...(provenance !== undefined && { [provenanceHeader]: provenance }),
  };
}
