/** References of a record, as the page shows them. */
import type { CardReference } from '../../core/fhir/card/parts.ts';
import { follow, type Target } from '../../core/fhir/follow.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { text } from '../ui/text.ts';

/** Where a reference of a record leads to, and what that does in words; undefined where it leads nowhere. */
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
