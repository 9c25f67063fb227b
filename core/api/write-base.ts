import { confirmedHeader } from '../app/connections.ts';
import { provenanceHeader } from './provenance.ts';

/** What a write starts from, so that it overwrites nothing unawares. */
export interface WriteBase {
  /** Sent back as If-Match. */
  readonly etag?: string | undefined;
  /** The record's text: compared with what the server holds, right before the write, where there is no ETag. */
  readonly text?: string | undefined;
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
