/** Versions of records for the page. */
import { ifMatchOf } from '../../core/api/precondition.ts';
import { unchanged } from '../../core/fhir/record.ts';
import { summarize, summarizeValue, type RecordSummary } from '../../core/fhir/summary.ts';
import { formatNode, type JsonNode } from '../../core/json/node.ts';
import { readNatively } from '../../core/json/native.ts';
import { scan } from '../../core/json/scan.ts';

/** A version from the server: formatted text, value, number and ETag. */
export interface Version {
  readonly text: string;
  readonly root: JsonNode;
  readonly version: number | undefined;
  /** ETag of another server, without a content coding; undefined if it has none for this version. */
  readonly etag?: string | undefined;
  readonly summary: RecordSummary;
}

/** Text of a response, draft or version, and its version if known. */
type VersionContent = Pick<Version, 'text' | 'etag'> & { readonly version?: number | undefined };

/**
 * Converts the response of a read, update or patch to a version. The value is parsed on first access, after
 * the text is shown.
 *
 * @throws JsonSyntaxError if the text is not JSON.
 */
export function toVersion({ text, version, etag }: VersionContent): Version {
  const { formatted, summary, ...parsed } = parseNatively(text) ?? parseExactly(text);
  let { root } = parsed;
  const statedVersion = Number(summary.version);
  return {
    text: formatted,
    summary,
    version: version ?? (Number.isInteger(statedVersion) && statedVersion > 0 ? statedVersion : undefined),
    etag,
    get root() {
      return (root ??= scan(text).root);
    },
  };
}

/**
 * Returns the If-Match header of a save based on a version; undefined if neither ETag nor version is known.
 */
export function ifMatchFor({ etag, summary }: Version): string | undefined {
  return ifMatchOf({ etag, versionId: summary.version });
}

interface ParsedText {
  readonly formatted: string;
  readonly summary: RecordSummary;
  readonly root?: JsonNode;
}

function parseNatively(text: string): ParsedText | undefined {
  const native = readNatively(text);
  return native && { formatted: native.formatted, summary: summarizeValue(native.value) };
}

function parseExactly(text: string): ParsedText {
  const { root } = scan(text);
  return { formatted: formatNode(root), summary: summarize(root), root };
}

/** Returns true if the server has the sent value, apart from its server metadata. Modifies `sentRoot`. */
export function holdsSent(sentRoot: JsonNode, serverVersion: Version): boolean {
  if (sentRoot.kind !== 'object' || serverVersion.root.kind !== 'object') return false;
  const { id, version, lastUpdated } = serverVersion.summary;
  return unchanged(sentRoot, serverVersion.root, { id, version, lastUpdated });
}
