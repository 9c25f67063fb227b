import { hasForm, type ElementType } from '../../../core/fhir/element-type.ts';
import { isCalendarDate } from '../../../core/types/definition/dates.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { parseJson } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';

/** How a value is written: the control that its element's type calls for; `free` where nothing is known of it. */
export type Control = 'codes' | 'boolean' | 'date' | 'number' | 'text' | 'json' | 'free';

const numberTypes = new Set(['decimal', 'integer', 'unsignedInt', 'positiveInt']);
const dateTypes = new Set(['date', 'dateTime', 'instant']);

/** The control for an element; where FHIR knows none, for the kind of value that stands there now. */
export function controlOf(element: ElementType | undefined, current: JsonNode | undefined): Control {
  if (element) {
    if (element.repeats || !element.primitive) return 'json';
    if (element.codes) return 'codes';
    if (element.type === 'boolean') return 'boolean';
    if (numberTypes.has(element.type)) return 'number';
    return dateTypes.has(element.type) ? 'date' : 'text';
  }
  switch (current?.kind) {
    case 'string':
      return 'text';
    case 'number':
    case 'boolean':
      return current.kind;
    case 'object':
    case 'array':
      return 'json';
    case 'null':
    case undefined:
      return 'free';
  }
}

/** The control that can show what has been written so far: another kind of value is shown as JSON. */
export function shownControl(value: string, wanted: Control): Control {
  if (value.trim() === '' || wanted === 'free') return wanted;
  const parsed = parseJson(value);
  const kind = parsed.kind === 'json' ? parsed.node.kind : undefined;
  switch (wanted) {
    case 'codes':
    case 'date':
    case 'text':
      return kind === 'string' ? wanted : 'json';
    case 'boolean':
      return kind === 'boolean' ? wanted : 'json';
    case 'number':
      return kind === 'number' || (kind === undefined && !/^\s*["[{]/.test(value)) ? wanted : 'json';
    case 'json':
      return wanted;
  }
}

/** Why a value is none that the element can hold; undefined where it is, or where nothing is known of the element. */
export function misfitOf(element: ElementType | undefined, node: JsonNode): string | undefined {
  if (!element) return undefined;
  const { misfits } = text.patch;
  const { type, codes } = element;
  if (element.repeats) return node.kind === 'array' ? undefined : misfits.list(type);
  if (!element.primitive) return node.kind === 'object' ? undefined : misfits.object(type);
  if (type === 'boolean') return node.kind === 'boolean' ? undefined : misfits.boolean;
  if (numberTypes.has(type)) {
    if (node.kind !== 'number') return misfits.number;
    return type === 'decimal' || /^-?[0-9]+$/.test(node.source) ? undefined : misfits.integer;
  }
  if (node.kind !== 'string') return misfits.string;
  if (codes && !codes.includes(node.value)) return misfits.code;
  if (!isDateType(type)) return hasForm(type, node.value) ? undefined : misfits.form(type);
  return hasForm(type, node.value) && isCalendarDate(node.value) ? undefined : misfits[type];
}

function isDateType(type: string): type is 'date' | 'dateTime' | 'instant' {
  return dateTypes.has(type);
}
