import { copy, type JsonNode } from '../json/node.ts';
import { stamp, type Stamp } from './record.ts';

/**
 * An earlier version's content as an edit of the current one: its own elements, under the id, the version and the time
 * that the record bears now. Undefined where the text is no JSON object.
 */
export function restored(earlier: JsonNode, current: Stamp): JsonNode | undefined {
  const record = copy(earlier);
  if (record.kind !== 'object') return undefined;
  stamp(record, current);
  return record;
}
