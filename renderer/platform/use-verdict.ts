import { useQuery } from '@tanstack/react-query';
import { isUnstored } from '../../core/fhir/new-record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { staleIssues } from '../../core/fhir/validation/narrative.ts';
import { verdictOf, type Verdict } from '../../core/fhir/validation/verdict.ts';
import { useOverview } from './app-queries.ts';
import { useConnection } from './connection.ts';
import { findingsOf } from './rules.ts';

/** A text that is to be sent, and the version that it is made on. */
interface Judged {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: { readonly text: string; readonly version: number | undefined } | undefined;
  readonly text: string;
}

/** What the page's own rules say where the server is another's, whose rules are not known: nothing is refused here. */
async function ownVerdict(type: ResourceType, text: string, base: string | undefined): Promise<Verdict> {
  const [after = [], before = []] = await findingsOf(type, base === undefined ? [text] : [text, base]);
  return verdictOf(after, before, 'off');
}

/** With the warning that only the two versions together tell: `$validate` sees one of them. */
function withStale(verdict: Verdict, { type, base, text }: Judged): Verdict {
  const stale = base ? staleIssues(type, base.text, text) : [];
  return { ...verdict, warnings: [...stale, ...verdict.warnings] };
}

/** What the server would say of the text: its own validation of the text and of the version before it; nothing is asked unless `enabled`. */
export function useVerdict({ type, id, base: held, text }: Judged, enabled = true) {
  // A create meets no version before it.
  const base = isUnstored(id) ? undefined : held;
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  return useQuery({
    queryKey: ['verdict', name, type, id, base?.version, level, text],
    queryFn: async (): Promise<Verdict> => {
      const judged = { type, id, base, text };
      if (remote) return withStale(await ownVerdict(type, text, base?.text), judged);
      const [after, before] = await Promise.all([
        client.validate(type, text),
        base ? client.validate(type, base.text) : undefined,
      ]);
      return withStale(verdictOf(after.issue, before?.issue ?? [], level), judged);
    },
    enabled,
    staleTime: Infinity,
    gcTime: 0,
  });
}
