import { useQuery } from '@tanstack/react-query';
import { verdictOf, type Verdict } from '../../../../core/fhir/validation/verdict.ts';
import { useOverview } from '../../../platform/app-queries.ts';
import { useConnection } from '../../../platform/connection.ts';
import type { RecordState } from '../record-state.ts';

/** What the server would say of the text: its own validation of the text and of the version before it. */
export function useVerdict({ type, id, base, text }: RecordState) {
  const { client, name } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  return useQuery({
    queryKey: ['verdict', name, type, id, base?.version, level, text],
    queryFn: async (): Promise<Verdict> => {
      const [after, before] = await Promise.all([
        client.validate(type, text),
        base ? client.validate(type, base.text) : undefined,
      ]);
      return verdictOf(after.issue, before?.issue ?? [], level);
    },
    staleTime: Infinity,
    gcTime: 0,
  });
}
