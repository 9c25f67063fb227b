import { typeChoice, type ResourceType } from '../../../core/fhir/resource.ts';
import { fillPlaceholders, formatCount, formatList, formatPercent, formatPlural } from '../format.ts';
import { textsOf } from './types.ts';

/** Code systems that profiles often need, by the names that people know. */
const systems: Readonly<Record<string, string>> = {
  'http://snomed.info/sct': 'SNOMED CT',
  'http://loinc.org': 'LOINC',
  'http://www.nlm.nih.gov/research/umls/rxnorm': 'RxNorm',
  'http://hl7.org/fhir/sid/icd-10': 'ICD-10',
  'http://hl7.org/fhir/sid/icd-10-cm': 'ICD-10-CM',
  'http://hl7.org/fhir/sid/cvx': 'CVX',
  'http://www.ama-assn.org/go/cpt': 'CPT',
  'http://terminology.hl7.org/NamingSystem/HCPCS': 'HCPCS',
};

/** Names in one sentence; the count of the rest follows. */
const maxNames = 3;

/** Returns a short and unambiguous name of a canonical. */
function nameOfCanonical(canonical: string): string {
  const [url = ''] = canonical.split('|');
  return systems[url] ?? canonical;
}

/** Returns the name of a missing definition. Common names replace addresses. */
function nameOfNeed(need: string): string {
  const canonical = need.split(' ').at(-1) ?? need;
  const canonicalName = nameOfCanonical(canonical);
  return canonicalName === canonical ? need : canonicalName;
}

/** Texts of FHIR packages, their profiles and the profile findings of a record. */
export const packageText = {
  packages: {
    heading: 'Packages',
    what: 'FHIR packages add profiles, value sets and code systems for checking records. Everything stays on this computer. Drop .tgz packages of implementation guides, or unpacked packages, on the window.',
    chooseFiles: 'Choose packages',
    chooseFolder: 'Choose folder',
    look: 'Rescan folder',
    lookHint: (folder: string) => `Finds packages copied to ${folder}`,
    empty: 'No packages yet. Records are checked against FHIR R4 and your custom checks.',
    failed: 'Couldn’t load the packages.',
    notLooked: 'Couldn’t read the package folder.',
    table: 'Packages',
    columns: { name: 'Package', holds: 'Contents', needs: 'Dependencies', action: 'Action' },
    holds: ({ StructureDefinition, ValueSet, CodeSystem }: Readonly<Record<string, number>>) =>
      formatList(
        [
          formatPlural(StructureDefinition ?? 0, {
            one: '{n} structure definition',
            other: '{n} structure definitions',
          }),
          formatPlural(ValueSet ?? 0, { one: '{n} value set', other: '{n} value sets' }),
          formatPlural(CodeSystem ?? 0, { one: '{n} code system', other: '{n} code systems' }),
        ],
        'unit',
      ),
    dependencies: {
      held: (name: string) => `${name}: installed`,
      own: (name: string) => `${name}: included with Chartkeeper`,
      other: (name: string) => `${name}: installed in another version`,
      lacking: (name: string) => `${name}: not installed`,
    },
    dependencyList: (dependencies: readonly string[]) => formatList(dependencies, 'unit'),
    lacks: (title: string, canonicals: readonly string[]) => {
      const names = canonicals.slice(0, maxNames).map(nameOfCanonical);
      const moreCount = canonicals.length - names.length;
      const list = formatList(moreCount > 0 ? [...names, `${formatCount(moreCount)} more`] : names);
      return `${title} can’t be fully checked without ${list}`;
    },
    complete: 'Everything needed for the profiles in use is installed',
    noProfiles: `No profiles for ${typeChoice}`,
    notUsable: (title: string) => `${title} can’t be used: it has no snapshot`,
    states: { reading: 'Reading', refused: 'Not used' },
    remove: 'Delete',
    removeOf: (file: string) => `Delete ${file}`,
    adding: (name: string) => `Reading ${name}`,
    added: (name: string, version: string) => `${name} ${version} added`,
    unchanged: (name: string, version: string) => `${name} ${version} is already installed`,
    notAdded: (file: string, reason: string) => `Couldn’t add ${file}. ${reason}`,
    noPackage: 'No FHIR package found. Choose a .tgz or .tar file, or a folder with a package.json.',
    judgeBy: {
      heading: 'Profiles to check against',
      what: 'Records are checked against the profiles named in meta.profile, if installed. You can also check every record of a type against one profile.',
      of: (type: string) => `Every ${type}`,
      claimed: 'Only the profiles in meta.profile',
      away: (canonical: string) => `${canonical} (not installed)`,
      notHere: (type: string) => `The profile chosen for ${type} is not installed, so it isn’t checked.`,
      chosen: (type: string, title: string) => `Checking every ${type} against ${title}`,
      progress: 'Checks against profiles',
      checking: (type: ResourceType, share: number) =>
        fillPlaceholders(textsOf(type).checking, { percent: formatPercent(Math.floor(share * 100) / 100) }),
      checked: (type: ResourceType, violatedCount: number, applied: number) =>
        formatPlural(applied, textsOf(type).checked, { violated: violatedCount }),
      released: (type: string) => `Checking each ${type} against its own profiles only`,
    },
    question: {
      title: 'Delete package?',
      what: (name: string) => `${name} will be deleted from this data folder.`,
      shared: (name: string) => `${name} will be deleted from all servers of the store.`,
      findings:
        'The issues found by its profiles go away; records don’t change. Add the package again to bring both back.',
      chosen: (types: readonly string[]) => `One of its profiles is in use for every ${formatList(types)}.`,
      confirm: 'Delete',
      keep: 'Cancel',
      failed: 'Couldn’t delete the package.',
    },
    removed: (name: string) => `${name} deleted`,
  },
  profiles: {
    mustSupport: 'must support',
    /** Behind an element that a profile in force wants. */
    mark: '(profile)',
    element: (title: string, facts: readonly string[]) => `Profile ${title}: ${formatList(facts, 'unit')}`,
    asks: (min: number, max: string) => `${min}..${max}`,
    slices: (names: readonly string[]) => `slices: ${formatList(names, 'unit')}`,
    openHeading: 'Not checked',
    noneFound: 'No issues in what could be checked',
    /** `needs` are the definitions named by the server, for example `CodeSystem http://snomed.info/sct`. */
    undecided: (count: number, needs: readonly string[]) => {
      const need = nameOfNeed(needs[0] ?? '');
      if (needs.length < 2) {
        return formatPlural(
          count,
          {
            one: '{n} check skipped: {need} is not available here.',
            other: '{n} checks skipped: {need} is not available here.',
          },
          { need },
        );
      }
      return formatPlural(
        count,
        {
          one: '{n} check skipped: {need} and {more} more are not available here.',
          other: '{n} checks skipped: {need} and {more} more are not available here.',
        },
        { need, more: needs.length - 1 },
      );
    },
    needs: 'Details',
  },
} as const;
