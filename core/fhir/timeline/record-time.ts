import type { JsonNode } from '../../json/node.ts';
import { below, textAt, type Place } from '../card/parts.ts';
import { firstName } from '../names.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { dateDays } from './days.ts';
import { periodTimes, type WrittenTime } from './plan-times.ts';

/** When a record as a whole takes place: its period, else its first date; undefined where it states none. */
export function recordTime(record: JsonNode): WrittenTime | undefined {
  const root: Place = { node: record, pointer: '' };
  const type = textAt(below(root, 'resourceType'));
  if (!isResourceType(type)) return undefined;
  const { date, end } = definitionOf(type).summary;
  const period = end?.slice(0, end.lastIndexOf('.'));
  const [time] = period === undefined ? [] : periodTimes(below(root, ...period.split('.')));
  if (time) return time;
  const day = firstName(record, date);
  return day === '' ? undefined : { start: day, end: day, span: dateDays(day) };
}
