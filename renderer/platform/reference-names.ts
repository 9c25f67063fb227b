import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { mostReferences, ReferenceNames, type ReferredName } from '../../core/app/reference-names.ts';
import type { CardReference } from '../../core/fhir/card/parts.ts';
import { modifiedName } from '../../core/fhir/modifiers/modifiers.ts';
import { containedId } from '../../core/fhir/names.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';
import { text } from '../ui/text.ts';
import { batchRequests } from './gather.ts';
import { ReferringRecord } from './referring-record.ts';

/**
 * Returns a reference with its display, otherwise with the name and modifiers of the related resource. Before
 * the response, and for other servers, returns the reference of the record.
 */
export function useReferenceName(cardReference: CardReference): CardReference {
  const { reference, display } = cardReference;
  const { client, remote } = useConnection();
  const record = use(ReferringRecord);
  const { data } = useQuery({
    queryKey: ['reference-name', record, reference],
    enabled: remote === undefined && reference !== '' && containedId(reference) === undefined,
    queryFn: ({ signal }) => nameOf(client, `${record ?? ''} ${reference}`, signal),
    staleTime: 300_000,
    retry: false,
  });
  if (!data) return cardReference;
  if (data === 'ambiguous')
    return { ...cardReference, display: display === '' ? text.card.ambiguous(reference) : display };
  const { name, negation } = modifiedName(display === '' ? data.name : display, data.modifiers, data.type);
  const markedName = data.otherImport ? text.card.ofOtherImport(name) : name;
  return { ...cardReference, display: markedName, ...(negation !== '' && { negation }) };
}

/** Without a response, the record's own text is shown. A key is the record and the reference. */
const nameOf = batchRequests(async (client, keys) => {
  const names = new Map<string, ReferredName | 'ambiguous'>();
  const keysByRecord = Map.groupBy(keys, (key) => key.slice(0, key.indexOf(' ')));
  for (const [record, keysOfRecord] of keysByRecord) {
    const references = keysOfRecord.map((key) => key.slice(record.length + 1));
    for (let index = 0; index < references.length; index += mostReferences) {
      const batch = references.slice(index, index + mostReferences);
      const body = { of: batch, ...(record !== '' && { record }) };
      const response = await client.app('POST', '/reference-names', body).catch(() => undefined);
      if (!matchesSchema(ReferenceNames, response)) continue;
      for (const [reference, name] of Object.entries(response.names))
        names.set(`${record} ${reference}`, name);
      for (const reference of response.ambiguous ?? []) names.set(`${record} ${reference}`, 'ambiguous');
    }
  }
  return names;
});
