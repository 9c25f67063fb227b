import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { noProfileIssues, profileIssuesOf, type ProfileIssues } from '../../../../core/app/profile-issues.ts';
import { ProfileFindings } from '../../../../core/app/profiles.ts';
import type { Issue } from '../../../../core/fhir/text-validation.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import { useConnection } from '../../../platform/connection.ts';
import { useProfilesStamp } from '../../../platform/packages.ts';
import type { ValidatedText } from './use-judgement.ts';

export interface CombinedValidation extends ValidatedText {
  readonly open: ProfileIssues['open'];
}

/**
 * Adds the profile issues of this server to a validation. Until the response arrives, the issues of the
 * previous text stay at their elements, so that markers don't flicker. A record that was just opened does not
 * wait. Sends no request without packages.
 */
export function useProfileIssues(
  type: ResourceType,
  validation: ValidatedText | undefined,
): CombinedValidation | undefined {
  const { client } = useConnection();
  const fingerprint = useProfilesStamp(type);
  const isRead = validation?.issues.every(({ rule }) => rule !== 'json') ?? false;
  const isEnabled = fingerprint !== '' && isRead;
  const { modelPath = '', text = '' } = validation ?? {};
  const { data: findings } = useQuery({
    queryKey: ['profile-issues', `${modelPath} ${fingerprint}`, text],
    queryFn: async () => {
      const response = await client.app('POST', '/profiles/findings', { type, record: text });
      return { findings: narrow(response, ProfileFindings), foundIn: text };
    },
    enabled: isEnabled,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === `${modelPath} ${fingerprint}` ? previous : undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const profileIssues = useMemo(
    () =>
      isEnabled && findings
        ? profileIssuesOf(type, text, findings.findings, findings.foundIn)
        : noProfileIssues,
    [isEnabled, type, text, findings],
  );
  return useMemo(() => validation && combine(validation, profileIssues), [validation, profileIssues]);
}

function combine(
  validation: ValidatedText,
  { issues: profileIssues, open }: ProfileIssues,
): CombinedValidation {
  const allIssues =
    profileIssues.length === 0
      ? validation.issues
      : [...validation.issues, ...profileIssues].toSorted(compareIssues);
  return { ...validation, issues: allIssues, total: validation.total + profileIssues.length, open };
}

/** Orders issues by their position in the text. */
export function compareIssues(left: Issue, right: Issue): number {
  return left.start - right.start;
}
