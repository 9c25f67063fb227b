/** References of a record for the page. */
import type { CardReference } from '../../core/fhir/card/parts.ts';
import { follow, type Target } from '../../core/fhir/follow.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { text } from '../ui/text.ts';

/** Returns the target of a reference and its tooltip; undefined if it can't be followed. */
export function leadOf({ reference, pointer }: CardReference, type: string) {
  const [element = ''] = parsePointer(pointer) ?? [];
  const target = reference !== '' && isResourceType(type) ? follow(reference, element, type) : undefined;
  return target && { target, hint: hintOf(target, reference) };
}

function hintOf(target: Target, reference: string): string {
  switch (target.kind) {
    case 'record':
      return text.reading.open(reference);
    case 'contained':
      return text.reading.contained(target.id);
    case 'patient':
      return text.reading.patient(reference);
    case 'search':
      return text.reading.search(reference);
  }
}
