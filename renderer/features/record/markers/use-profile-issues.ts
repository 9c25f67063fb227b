import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { noProfileIssues, profileIssuesOf, type ProfileIssues } from '../../../../core/app/profile-issues.ts';
import { ProfileFindings } from '../../../../core/app/profiles.ts';
import type { Issue } from '../../../../core/fhir/judgement.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { useConnection } from '../../../platform/connection.ts';
import { useProfilesStamp } from '../../../platform/packages.ts';
import type { Judged } from './use-judgement.ts';

/** A judgement with what profiles say of the same text. */
export interface JudgedByAll extends Judged {
  readonly open: ProfileIssues['open'];
}

/**
 * Adds to a judgement what this server says of the text by profiles, whichever it is of. While that is on its way, what was
 * said of the text before is shown at its elements, so that no mark goes and comes with each key; a record that was just
 * opened does not wait. Where there are no packages nothing is asked.
 */
export function useProfileIssues(type: ResourceType, judged: Judged | undefined): JudgedByAll | undefined {
  const { client } = useConnection();
  const stamp = useProfilesStamp(type);
  const isRead = judged?.issues.every(({ rule }) => rule !== 'json') ?? false;
  const isAsked = stamp !== '' && isRead;
  const { modelPath = '', text = '' } = judged ?? {};
  const { data: told } = useQuery({
    queryKey: ['profile-issues', `${modelPath} ${stamp}`, text],
    queryFn: async () => {
      const answer = await client.app('POST', '/profiles/findings', { type, record: text });
      return { findings: narrow(answer, ProfileFindings), foundIn: text };
    },
    enabled: isAsked,
    placeholderData: (before, query) => (query?.queryKey[1] === `${modelPath} ${stamp}` ? before : undefined),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const by = useMemo(
    () => (isAsked && told ? profileIssuesOf(type, text, told.findings, told.foundIn) : noProfileIssues),
    [isAsked, type, text, told],
  );
  return useMemo(() => judged && together(judged, by), [judged, by]);
}

function together(judged: Judged, { found, open }: ProfileIssues): JudgedByAll {
  const issues = found.length === 0 ? judged.issues : [...judged.issues, ...found].toSorted(byPlace);
  return { ...judged, issues, total: judged.total + found.length, open };
}

/** Orders issues by where they stand in the text. */
export function byPlace(one: Issue, other: Issue): number {
  return one.start - other.start;
}
