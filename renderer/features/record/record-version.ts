import { unchanged } from '../../../core/fhir/record.ts';
import { summarise, summariseValue, type RecordSummary } from '../../../core/fhir/summary.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { readNatively } from '../../../core/json/native.ts';
import { format } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import type { Version } from './record-state.ts';

/** What an answer, a draft or a version says of a text: which version it is, where that is known. */
export type Held = Pick<Version, 'text' | 'etag'> & { readonly version?: number | undefined };

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

/** Whether the server holds what was sent, apart from the version and time that it stamps itself. */
export function holdsSent(sent: string, held: Version): boolean {
  const sentRoot = scan(sent).root;
  if (sentRoot.kind !== 'object' || held.root.kind !== 'object') return false;
  const { id, version, lastUpdated } = held.summary;
  return unchanged(sentRoot, held.root, { id, version, lastUpdated });
}
