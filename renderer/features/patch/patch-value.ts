import { hasForm, type ElementType } from '../../../core/fhir/element-type.ts';
import { isCalendarDate } from '../../../core/types/definition/dates.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { parseJson } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';

/** Control that edits a value, by the type of its element; `free` for unknown elements. */
export type Control = 'codes' | 'boolean' | 'date' | 'number' | 'text' | 'json' | 'free';

const numberTypes = new Set(['decimal', 'integer', 'unsignedInt', 'positiveInt']);
const dateTypes = new Set(['date', 'dateTime', 'instant']);

/** Returns the control of an element. An unknown element is edited by the type of its current value. */
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

/** Returns the control that can show the entered text. A value of another kind is shown as JSON. */
export function shownControl(value: string, preferred: Control): Control {
  if (value.trim() === '' || preferred === 'free') return preferred;
  const parsed = parseJson(value);
  const kind = parsed.kind === 'json' ? parsed.node.kind : undefined;
  switch (preferred) {
    case 'codes':
    case 'date':
    case 'text':
      return kind === 'string' ? preferred : 'json';
    case 'boolean':
      return kind === 'boolean' ? preferred : 'json';
    case 'number':
      return kind === 'number' || (kind === undefined && !/^\s*["[{]/.test(value)) ? preferred : 'json';
    case 'json':
      return preferred;
  }
}

/** Returns why an element can't hold a value; undefined if it can, or if the element is unknown. */
export function findValueProblem(element: ElementType | undefined, node: JsonNode): string | undefined {
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
