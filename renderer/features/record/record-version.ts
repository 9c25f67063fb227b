import type { RecordVersion } from '../../../core/api/client.ts';
import { unchanged } from '../../../core/fhir/record.ts';
import { summarise } from '../../../core/fhir/summary.ts';
import { format } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import type { Version } from './record-state.ts';

/**
 * The answer of a read, an update or a patch as a version to work on.
 *
 * @throws JsonSyntaxError where the server's text is not JSON.
 */
export function toVersion({ text, version, etag }: RecordVersion): Version {
  const { root } = scan(text);
  const summary = summarise(root);
  const stated = Number(summary.version);
  return {
    text: format(root),
    root,
    summary,
    version: version ?? (Number.isInteger(stated) && stated > 0 ? stated : undefined),
    etag,
  };
}

/** Whether the server holds what was sent, apart from the version and time that it stamps itself. */
export function holdsSent(sent: string, held: Version): boolean {
  const sentRoot = scan(sent).root;
  if (sentRoot.kind !== 'object' || held.root.kind !== 'object') return false;
  const { id, version, lastUpdated } = held.summary;
  return unchanged(sentRoot, held.root, { id, version, lastUpdated });
}
