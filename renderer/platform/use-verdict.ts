import { useQuery } from '@tanstack/react-query';
import { isUnstored } from '../../core/fhir/new-record.ts';
import { staleRule } from '../../core/fhir/issue-row.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { staleIssues } from '../../core/fhir/validation/narrative.ts';
import { otherIdIssue, verdictOf, type Verdict } from '../../core/fhir/validation/verdict.ts';
import { useOverview } from './app-queries.ts';
import { useConnection } from './connection.ts';
import { findingsOf, rejectedOf } from './rules.ts';

/** A text that is to be sent, and the version that it is made on. */
interface Judged {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: { readonly text: string; readonly version: number | undefined } | undefined;
  readonly text: string;
}

/** The page's own rules: those of another's server are not known, so that nothing is refused here. */
async function ownVerdict(type: ResourceType, text: string): Promise<Verdict> {
  const [issues = []] = await findingsOf(type, [text]);
  return verdictOf(issues, []);
}

/** Adds what `$validate` cannot tell: it sees one version, and no address. */
function completeVerdict(verdict: Verdict, { type, id, base, text }: Judged): Verdict {
  const stale = base ? staleIssues(type, base.text, text) : [];
  const otherId = isUnstored(id) ? undefined : otherIdIssue(type, id, text);
  return {
    ...verdict,
    refused: otherId ? [otherId, ...verdict.refused] : verdict.refused,
    warnings: [...stale, ...verdict.warnings],
  };
}

/** What the server would say of the text, and which of it would refuse a save on the version before; nothing is asked unless `enabled`. */
export function useVerdict({ type, id, base: held, text }: Judged, enabled = true) {
  // A create meets no version before it.
  const base = isUnstored(id) ? undefined : held;
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  return useQuery({
    queryKey: ['verdict', name, type, id, base?.version, level, text],
    queryFn: async (): Promise<Verdict> => {
      const judged = { type, id, base, text };
      if (remote) return completeVerdict(await ownVerdict(type, text), judged);
      const [{ issue }, refused] = await Promise.all([
        client.validate(type, text),
        rejectedOf(type, { text, base: base?.text, level }),
      ]);
      return completeVerdict(verdictOf(issue, refused), judged);
    },
    enabled,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Returns true for the warning of a narrative that the save itself leaves out of date (row 52). */
export function isStaleWarning({ diagnostics }: OutcomeIssue): boolean {
  return diagnostics === staleRule;
}
