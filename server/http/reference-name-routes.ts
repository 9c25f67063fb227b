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
import { scan } from '../../core/json/scan.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { SharedStore } from '../store/store.ts';
import { parseBodyAs } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('referenceName', { invalid: 'Send at most {references} references in of.' });

type RelatedStore = Pick<SharedStore, 'supportingResources'>;

/** `POST /app/reference-names`: names of related resources and the modifiers of their meaning. */
export function createReferenceNameRoutes(store: RelatedStore): readonly TableRoute[] {
  const handle = createJsonHandler(async (request) => {
    const problem = messages.invalid({ references: mostReferences });
    const { of: references } = parseBodyAs(request, 'ReferenceNames', ReferenceNamesRequest, problem);
    const names: Record<string, ReferredName> = {};
    for (const reference of new Set(references)) {
      const referredName = await readName(store, reference);
      if (referredName) names[reference] = referredName;
      // Lets other requests run in between.
      await setImmediate();
    }
    return { names } satisfies ReferenceNames;
  });
  return [{ method: 'POST', path: '/app/reference-names', body: true, handler: handle }];
}

async function readName(
  { supportingResources }: RelatedStore,
  reference: string,
): Promise<ReferredName | undefined> {
  try {
    const resource = await supportingResources.resolve(reference);
    if (!resource) return undefined;
    const { root } = scan(resource.text);
    return { type: resource.type, name: getNameWithoutModifiers(root), modifiers: modifiersOf(root) };
  } catch (error) {
    // A damaged resource has no name.
    if (error instanceof FhirError) return undefined;
    throw error;
  }
}
