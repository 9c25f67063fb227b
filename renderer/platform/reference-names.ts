import { useQuery } from '@tanstack/react-query';
import { mostReferences, ReferenceNames, type ReferredName } from '../../core/app/reference-names.ts';
import type { CardReference } from '../../core/fhir/card/parts.ts';
import { modifiedName } from '../../core/fhir/modifiers/modifiers.ts';
import { containedId } from '../../core/fhir/names.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';
import { batchRequests } from './gather.ts';

/**
 * Returns a reference with its display, otherwise with the name and modifiers of the related resource. Before
 * the response, and for other servers, returns the reference of the record.
 */
export function useReferenceName(cardReference: CardReference): CardReference {
  const { reference, display } = cardReference;
  const { client, remote } = useConnection();
  const { data } = useQuery({
    queryKey: ['reference-name', reference],
    enabled: remote === undefined && reference !== '' && containedId(reference) === undefined,
    queryFn: ({ signal }) => nameOf(client, reference, signal),
    staleTime: 300_000,
    retry: false,
  });
  if (!data) return cardReference;
  const { name, negation } = modifiedName(display === '' ? data.name : display, data.modifiers, data.type);
  return { ...cardReference, display: name, ...(negation !== '' && { negation }) };
}

/** Without a response, the record's own text is shown. */
const nameOf = batchRequests(async (client, references) => {
  const names = new Map<string, ReferredName>();
  for (let index = 0; index < references.length; index += mostReferences) {
    const batch = references.slice(index, index + mostReferences);
    const response = await client.app('POST', '/reference-names', { of: batch }).catch(() => undefined);
    if (matchesSchema(ReferenceNames, response)) {
      for (const [reference, name] of Object.entries(response.names)) names.set(reference, name);
    }
  }
  return names;
});
