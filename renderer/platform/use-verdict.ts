import { useQuery } from '@tanstack/react-query';
import { isNewRecord } from '../../core/fhir/new-record.ts';
import { staleRule } from '../../core/fhir/issue-row.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { staleIssues } from '../../core/fhir/validation/rules.ts';
import { otherIdIssue, previewSave, type SavePreview } from '../../core/fhir/validation/save-preview.ts';
import { useOverview } from './app-queries.ts';
import { useConnection } from './connection.ts';
import { findingsOf, rejectedOf } from './rules.ts';

/** A text to be sent and its base version. */
interface ValidationInput {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: { readonly text: string; readonly version: number | undefined } | undefined;
  readonly text: string;
}

/**
 * Previews a save by the page's rules. The rules of another server are unknown, so nothing is rejected here.
 */
async function previewLocally(type: ResourceType, text: string): Promise<SavePreview> {
  const [issues = []] = await findingsOf(type, [text]);
  return previewSave(issues, []);
}

/**
 * Adds the issues that `$validate` can't report, because it sees neither the previous version nor the
 * address.
 */
function completePreview(preview: SavePreview, { type, id, base, text }: ValidationInput): SavePreview {
  const staleWarnings = base ? staleIssues(type, base.text, text) : [];
  const otherId = isNewRecord(id) ? undefined : otherIdIssue(type, id, text);
  return {
    ...preview,
    rejected: otherId ? [otherId, ...preview.rejected] : preview.rejected,
    warnings: [...staleWarnings, ...preview.warnings],
  };
}

/**
 * Returns the preview of a save: the server's issues, and which of them reject a save on the base. Sends no
 * request unless `enabled`.
 */
export function useSavePreview({ type, id, base: loadedBase, text }: ValidationInput, enabled = true) {
  // A create has no previous version.
  const base = isNewRecord(id) ? undefined : loadedBase;
  const { client, name, remote } = useConnection();
  const level = useOverview().data?.level ?? 'standard';
  return useQuery({
    queryKey: ['verdict', name, type, id, base?.version, level, text],
    queryFn: async (): Promise<SavePreview> => {
      const input = { type, id, base, text };
      if (remote) return completePreview(await previewLocally(type, text), input);
      const [{ issue }, rejected] = await Promise.all([
        client.validate(type, text),
        rejectedOf(type, { text, base: base?.text, level }),
      ]);
      return completePreview(previewSave(issue, rejected), input);
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
