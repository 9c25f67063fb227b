import { setImmediate } from 'node:timers/promises';
import {
  mostReferences,
  ReferenceNamesRequest,
  type ReferenceNames,
  type ReferredName,
} from '../../core/app/reference-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { modifiersOf } from '../../core/fhir/modifiers/modifiers.ts';
import { getNameWithoutModifiers } from '../../core/fhir/resource-name.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { scan } from '../../core/json/scan.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { SharedStore } from '../store/store.ts';
import { parseBodyAs } from './body.ts';
import { createJsonHandler } from './reply.ts';
import { parseRecordName } from './supporting-resource-routes.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('referenceName', { invalid: 'Send at most {references} references in of.' });

type RelatedStore = Pick<SharedStore, 'supportingResources'>;

/** `POST /app/reference-names`: names of related resources and the modifiers of their meaning. */
export function createReferenceNameRoutes(store: RelatedStore): readonly TableRoute[] {
  const handle = createJsonHandler(async (request) => {
    const problem = messages.invalid({ references: mostReferences });
    const body = parseBodyAs(request, 'ReferenceNames', ReferenceNamesRequest, problem);
    const record = parseRecordName(body.record);
    const names: Record<string, ReferredName> = {};
    const ambiguous: string[] = [];
    for (const reference of new Set(body.of)) {
      const referredName = await readName(store, reference, record);
      if (referredName === 'ambiguous') ambiguous.push(reference);
      else if (referredName) names[reference] = referredName;
      // Lets other requests run in between.
      await setImmediate();
    }
    return { names, ...(ambiguous.length > 0 && { ambiguous }) } satisfies ReferenceNames;
  });
  return [{ method: 'POST', path: '/app/reference-names', body: true, handler: handle }];
}

async function readName(
  { supportingResources }: RelatedStore,
  reference: string,
  record: NamedResource | undefined,
): Promise<ReferredName | 'ambiguous' | undefined> {
  try {
    const resource = await supportingResources.resolve(reference, { record });
    if (resource === undefined || resource === 'ambiguous') return resource;
    const { type, text, isFromOtherImport } = resource;
    const { root } = scan(text);
    return {
      type,
      name: getNameWithoutModifiers(root),
      modifiers: modifiersOf(root),
      ...(isFromOtherImport && { otherImport: isFromOtherImport }),
    };
  } catch (error) {
    // A damaged resource has no name.
    if (error instanceof FhirError) return undefined;
    throw error;
  }
}
