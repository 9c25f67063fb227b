import { useQuery } from '@tanstack/react-query';
import { mostReferences, ReferenceNames, type ReferredName } from '../../core/app/reference-names.ts';
import type { CardReference } from '../../core/fhir/card/parts.ts';
import { modifiedName } from '../../core/fhir/modifiers/modifiers.ts';
import { containedId } from '../../core/fhir/names.ts';
import { is } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';
import { gather } from './gather.ts';

/**
 * Returns a reference by its display, else by the name of the related resource that it leads to, with what changes that
 * one's meaning. Until the server has answered, and for other servers, as the record has it.
 */
export function useReferenceName(shown: CardReference): CardReference {
  const { reference, display } = shown;
  const { client, remote } = useConnection();
  const { data } = useQuery({
    queryKey: ['reference-name', reference],
    enabled: remote === undefined && reference !== '' && containedId(reference) === undefined,
    queryFn: ({ signal }) => nameOf(client, reference, signal),
    staleTime: 300_000,
    retry: false,
  });
  if (!data) return shown;
  const { name, before } = modifiedName(display === '' ? data.name : display, data.modifiers, data.type);
  return { ...shown, display: name, ...(before !== '' && { before }) };
}

/** Without an answer the record's own words stand there. */
const nameOf = gather(async (client, asked) => {
  const names = new Map<string, ReferredName>();
  for (let at = 0; at < asked.length; at += mostReferences) {
    const of = asked.slice(at, at + mostReferences);
    const answer = await client.app('POST', '/reference-names', { of }).catch(() => undefined);
    if (is(ReferenceNames, answer)) {
      for (const [reference, name] of Object.entries(answer.names)) names.set(reference, name);
    }
  }
  return names;
});
