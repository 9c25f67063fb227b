import { useQuery } from '@tanstack/react-query';
import { isUnstored } from '../../../../core/fhir/new-record.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { verdictOf, type Verdict } from '../../../../core/fhir/validation/verdict.ts';
import { useOverview } from '../../../platform/app-queries.ts';
import { useConnection } from '../../../platform/connection.ts';
import { findingsOf } from '../../../platform/rules.ts';
import type { RecordState } from '../record-state.ts';

/** What the page's own rules say where the server is another's, whose rules are not known: nothing is refused here. */
async function ownVerdict(type: ResourceType, text: string, base: string | undefined): Promise<Verdict> {
  const [after = [], before = []] = await findingsOf(type, base === undefined ? [text] : [text, base]);
  const issues = (all: typeof after) => all.map(({ issue }) => issue);
  return verdictOf(issues(after), issues(before), 'off');
}

/** What the server would say of the text: its own validation of the text and of the version before it. */
export function useVerdict({ type, id, base: held, text }: RecordState) {
  // A create meets no version before it.
  const base = isUnstored(id) ? undefined : held;
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  return useQuery({
    queryKey: ['verdict', name, type, id, base?.version, level, text],
    queryFn: async (): Promise<Verdict> => {
      if (remote) return ownVerdict(type, text, base?.text);
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
