/** Versions of records as the page works on them. */
import { ifMatchOf } from '../../core/api/precondition.ts';
import { unchanged } from '../../core/fhir/record.ts';
import { summarise, summariseValue, type RecordSummary } from '../../core/fhir/summary.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { readNatively } from '../../core/json/native.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';

/** A version as the server gave it: formatted text, its value, its number and its ETag. */
export interface Version {
  readonly text: string;
  readonly root: JsonNode;
  readonly version: number | undefined;
  /** The ETag of another server, without a content coding; absent where it gives none that is of this version. */
  readonly etag?: string | undefined;
  readonly summary: RecordSummary;
}

/** What an answer, a draft or a version says of a text: which version it is, where that is known. */
type Held = Pick<Version, 'text' | 'etag'> & { readonly version?: number | undefined };

/**
 * The answer of a read, an update or a patch as a version to work on. Its value may be read when it is first asked for:
 * the text is looked at before.
 *
 * @throws JsonSyntaxError where the server's text is not JSON.
 */
export function toVersion({ text, version, etag }: Held): Version {
  const { formatted, summary, ...read } = readAtOnce(text) ?? readExactly(text);
  let { root } = read;
  const stated = Number(summary.version);
  return {
    text: formatted,
    summary,
    version: version ?? (Number.isInteger(stated) && stated > 0 ? stated : undefined),
    etag,
    get root() {
      return (root ??= scan(text).root);
    },
  };
}

/** Returns the If-Match of a save that starts from a version; undefined where nothing names it. */
export function ifMatchFor({ etag, summary }: Version): string | undefined {
  return ifMatchOf({ etag, versionId: summary.version });
}

interface Reading {
  readonly formatted: string;
  readonly summary: RecordSummary;
  readonly root?: JsonNode;
}

function readAtOnce(text: string): Reading | undefined {
  const native = readNatively(text);
  return native && { formatted: native.formatted, summary: summariseValue(native.value) };
}

function readExactly(text: string): Reading {
  const { root } = scan(text);
  return { formatted: format(root), summary: summarise(root), root };
}

/** Whether the server holds what was sent, apart from the version and time that it stamps itself; stamps `sent`. */
export function holdsSent(sent: JsonNode, held: Version): boolean {
  if (sent.kind !== 'object' || held.root.kind !== 'object') return false;
  const { id, version, lastUpdated } = held.summary;
  return unchanged(sent, held.root, { id, version, lastUpdated });
}
