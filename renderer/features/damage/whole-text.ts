import * as v from 'valibot';
import { parseAs } from '../../../core/json/shape.ts';
import type { RecordName } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';

const Named = v.object({ resourceType: v.string(), id: v.string() });

/** Why a text cannot be this record; undefined where it can. What it says of the record is the server's to judge. */
export function problemOf(json: string, { type, id }: RecordName): string | undefined {
  const named = parseAs(Named, json);
  if (!named) return text.damage.mend.notJson;
  const isOther = named.resourceType !== type || named.id !== id;
  return isOther ? text.damage.mend.other(`${named.resourceType}/${named.id}`) : undefined;
}

/** What writing begins with. */
export function beginning({ type, id }: RecordName): string {
  return `${JSON.stringify({ resourceType: type, id }, null, 2)}\n`;
}
