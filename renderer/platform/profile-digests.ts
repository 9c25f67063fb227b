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

/** The profiles in force for the record that is open, by the path of its model. */
let inForce: { readonly path: string; readonly digests: readonly Digest[] } = { path: '', digests: [] };

/** What completion, hover and outline tell of profiles in a model. */
export function digestsIn({ uri }: Monaco.editor.ITextModel): readonly Digest[] {
  return uri.toString() === inForce.path ? inForce.digests : [];
}

const Claims = v.object({ meta: v.object({ profile: v.array(v.string()) }) });

/** Fetches what the editor tells of the profiles that a text claims, and of the one chosen for its type. */
export function useProfileDigests(modelPath: string, type: ResourceType, text: string | undefined): void {
  const { client } = useConnection();
  const stamp = useProfilesStamp(type);
  const [profiles] = usePreference('profiles');
  const chosen = profiles[type];
  const claimed = stamp === '' || text === undefined ? [] : (parseAs(Claims, text)?.meta.profile ?? []);
  const asked = [...new Set([...(chosen === undefined ? [] : [chosen]), ...claimed])];
  const digests = useQueries({
    queries: asked.map((url) => ({
      queryKey: ['profile-digest', stamp, url],
      // One that is not at hand says nothing.
      queryFn: () => client.ask(Digest, 'GET', `/profiles?url=${encodeURIComponent(url)}`),
      staleTime: Infinity,
      retry: false,
    })),
    combine: (all) => all.flatMap(({ data }) => (data ? [data] : [])),
  });
  useEffect(() => {
    inForce = { path: modelPath, digests };
  }, [modelPath, digests]);
}
