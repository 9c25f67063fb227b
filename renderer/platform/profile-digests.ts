import { useQueries } from '@tanstack/react-query';
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { useEffect } from 'react';
import * as v from 'valibot';
import { Digest } from '../../core/fhir/profiles/digest.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { parseAs } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';
import { useProfilesStamp } from './packages.ts';
import { usePreference } from './preferences.ts';

/** Digests of the profiles of the open record, and its model path. */
let active: { readonly path: string; readonly digests: readonly Digest[] } = { path: '', digests: [] };

/** Returns the profile digests for completion, hover and outline in a model. */
export function digestsIn({ uri }: Monaco.editor.ITextModel): readonly Digest[] {
  return uri.toString() === active.path ? active.digests : [];
}

const Claims = v.object({ meta: v.object({ profile: v.array(v.string()) }) });

/** Fetches the digests of the profiles that a text claims, and of the selected profile of its type. */
export function useProfileDigests(modelPath: string, type: ResourceType, text: string | undefined): void {
  const { client } = useConnection();
  const fingerprint = useProfilesStamp(type);
  const [profiles] = usePreference('profiles');
  const selectedProfile = profiles[type];
  const claimedProfiles =
    fingerprint === '' || text === undefined ? [] : (parseAs(Claims, text)?.meta.profile ?? []);
  const urls = [
    ...new Set([...(selectedProfile === undefined ? [] : [selectedProfile]), ...claimedProfiles]),
  ];
  const digests = useQueries({
    queries: urls.map((url) => ({
      queryKey: ['profile-digest', fingerprint, url],
      // A missing profile has no digest.
      queryFn: () => client.requestAs(Digest, 'GET', `/profiles?url=${encodeURIComponent(url)}`),
      staleTime: Infinity,
      retry: false,
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  });
  useEffect(() => {
    active = { path: modelPath, digests };
  }, [modelPath, digests]);
}
