import { setImmediate } from 'node:timers/promises';
import {
  mostReferences,
  ReferenceNamesRequest,
  type ReferenceNames,
  type ReferredName,
} from '../../core/app/reference-names.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { modifiersOf } from '../../core/fhir/modifiers/modifiers.ts';
import { bareName } from '../../core/fhir/resource-name.ts';
import { scan } from '../../core/json/scan.ts';
import type { SharedStore } from '../store/store.ts';
import { bodyOf } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

type Related = Pick<SharedStore, 'companions'>;

/** `POST /app/reference-names`: the names of related resources, with what changes their meaning. */
export function referenceNameRoutes(store: Related): readonly TableRoute[] {
  const answer = json(async (request) => {
    const { of } = bodyOf(request, 'ReferenceNames', ReferenceNamesRequest, {
      text: `Send at most ${mostReferences} references in of.`,
    });
    const names: Record<string, ReferredName> = {};
    for (const reference of new Set(of)) {
      const found = await nameOf(store, reference);
      if (found) names[reference] = found;
      // What others ask goes between.
      await setImmediate();
    }
    return { names } satisfies ReferenceNames;
  });
  return [{ method: 'POST', path: '/app/reference-names', body: true, answer }];
}

async function nameOf({ companions }: Related, reference: string): Promise<ReferredName | undefined> {
  try {
    const found = await companions.resolve(reference);
    if (!found) return undefined;
    const { root } = scan(found.text);
    return { type: found.type, name: bareName(root), modifiers: modifiersOf(root) };
  } catch (error) {
    // Of one that is damaged nothing is told.
    if (error instanceof FhirError) return undefined;
    throw error;
  }
}
