import { below, textAt, type Place } from '../card/parts.ts';

/** A Quantity (FHIR R4 datatypes.html#Quantity) with the digits as written: `4.00 mg`; blank where there is no value. */
export function quantityAt(place: Place): string {
  const { node } = below(place, 'value');
  if (node?.kind !== 'number') return '';
  const unit = textAt(below(place, 'unit')) || textAt(below(place, 'code'));
  return [textAt(below(place, 'comparator')), node.source, unit].filter(Boolean).join(' ');
}
