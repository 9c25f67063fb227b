import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Issue } from '../../../../core/fhir/judgement.ts';
import {
  noProfileIssues,
  profileIssuesOf,
  type ProfileIssues,
} from '../../../../core/fhir/profiles/outcome-issues.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { useConnection } from '../../../platform/connection.ts';
import { useProfilesStamp } from '../../../platform/packages.ts';
import type { Judged } from './use-judgement.ts';

/** A judgement with what profiles say of the same text. */
export interface JudgedByAll extends Judged {
  readonly open: ProfileIssues['open'];
}

/**
 * Adds to a judgement what the server says of the text by profiles. While that is on its way, what was said of the text
 * before is shown at its elements, so that no mark goes and comes with each key; a record that was just opened does not
 * wait. Where there are no packages nothing is asked.
 */
export function useProfileIssues(type: ResourceType, judged: Judged | undefined): JudgedByAll | undefined {
  const { client, remote } = useConnection();
  const stamp = useProfilesStamp(type);
  const isRead = judged?.issues.every(({ rule }) => rule !== 'json') ?? false;
  const isAsked = stamp !== '' && !remote && isRead;
  const { modelPath = '', text = '' } = judged ?? {};
  const { data: outcome } = useQuery({
    queryKey: ['profile-issues', `${modelPath} ${stamp}`, text],
    queryFn: async () => (await client.validate(type, text)).issue,
    enabled: isAsked,
    placeholderData: (before, query) => (query?.queryKey[1] === `${modelPath} ${stamp}` ? before : undefined),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const by = useMemo(
    () => (isAsked && outcome ? profileIssuesOf(text, outcome) : noProfileIssues),
    [isAsked, text, outcome],
  );
  return useMemo(() => judged && together(judged, by), [judged, by]);
}

function together(judged: Judged, { found, open }: ProfileIssues): JudgedByAll {
  const issues = found.length === 0 ? judged.issues : [...judged.issues, ...found].toSorted(byPlace);
  return { ...judged, issues, total: judged.total + found.length, open };
}

function byPlace(one: Issue, other: Issue): number {
  return one.start - other.start;
}
