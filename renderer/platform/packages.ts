import { PackageList, type InstalledPackage, type AvailableProfile } from '../../core/app/packages.ts';
import { ProfileProgress } from '../../core/app/profiles.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { usePreference } from './preferences.ts';
import { useAppQuery } from './use-answer.ts';

export const packagesKey = ['packages'];

/** Poll interval while a package is being read. */
const pollIntervalMs = 1000;

/** Returns the packages of the local server, whichever server is active. */
export function usePackages() {
  return useAppQuery('/packages', PackageList, {
    queryKey: packagesKey,
    staleTime: Infinity,
    refetchInterval: ({ state }) =>
      (state.data?.packages.some((item) => item.state === 'reading') ?? false) && pollIntervalMs,
  });
}

/** Returns the progress of the local server's validation by profiles. The change stream reports updates. */
export function useProfileProgress() {
  return useAppQuery('/profiles/progress', ProfileProgress, { queryKey: ['quality', 'profiles'] });
}

/** Returns the packages in use. */
function listInstalled({ packages }: PackageList): readonly InstalledPackage[] {
  return packages.filter((item) => item.state === 'held');
}

/** Returns the profiles that can validate records, by type. */
export function listAvailableProfiles(list: PackageList): readonly AvailableProfile[] {
  return listInstalled(list).flatMap(({ profiles }) => profiles.filter(({ usable }) => usable));
}

/** Returns the canonical URL of a profile with its version. */
export function canonicalOf({ url, version }: Pick<AvailableProfile, 'url' | 'version'>): string {
  return version === '' ? url : `${url}|${version}`;
}

/** Returns a fingerprint of the profiles that validate a type here; empty without profiles. */
export function useProfilesStamp(type: ResourceType): string {
  const list = usePackages().data;
  const [profiles] = usePreference('profiles');
  const installedFiles = list ? listInstalled(list).map(({ file }) => file) : [];
  return [...installedFiles, profiles[type] ?? ''].join(' ').trim();
}
