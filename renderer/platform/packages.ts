import { PackageList, type HeldPackage, type ProfileOffer } from '../../core/app/packages.ts';
import { ProfileProgress } from '../../core/app/profiles.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { usePreference } from './preferences.ts';
import { useAnswer } from './use-answer.ts';

export const packagesKey = ['packages'];

/** Milliseconds between two looks while one is being read. */
const pace = 1000;

/** The packages at hand; of this server, whichever is worked on. */
export function usePackages() {
  return useAnswer('/packages', PackageList, {
    queryKey: packagesKey,
    staleTime: Infinity,
    refetchInterval: ({ state }) =>
      (state.data?.packages.some((one) => one.state === 'reading') ?? false) && pace,
  });
}

/** How far this server has judged the records by profiles; the stream of changes tells when to look. */
export function useProfileProgress() {
  return useAnswer('/profiles/progress', ProfileProgress, { queryKey: ['quality', 'profiles'] });
}

/** Those that are used. */
function heldOf({ packages }: PackageList): readonly HeldPackage[] {
  return packages.filter((one) => one.state === 'held');
}

/** Profiles by which records can be judged, by type. */
export function offersOf(list: PackageList): readonly ProfileOffer[] {
  return heldOf(list).flatMap(({ profiles }) => profiles.filter(({ usable }) => usable));
}

/** How a profile is named where this version is meant. */
export function canonicalOf({ url, version }: Pick<ProfileOffer, 'url' | 'version'>): string {
  return version === '' ? url : `${url}|${version}`;
}

/** Changes with the profiles by which records of a type are judged here; empty where there are none. */
export function useProfilesStamp(type: ResourceType): string {
  const list = usePackages().data;
  const [profiles] = usePreference('profiles');
  const held = list ? heldOf(list).map(({ file }) => file) : [];
  return [...held, profiles[type] ?? ''].join(' ').trim();
}
