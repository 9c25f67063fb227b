import { countOf, formatCount } from '../format.ts';

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

/** What a canonical is called, as short as it stays clear. */
function nameOfCanonical(canonical: string): string {
  const [url = ''] = canonical.split('|');
  return systems[url] ?? canonical;
}

/** What is missing, with the names that people know in the place of addresses. */
function nameOfNeed(need: string): string {
  const canonical = need.split(' ').at(-1) ?? need;
  const named = nameOfCanonical(canonical);
  return named === canonical ? need : named;
}

/** Text of FHIR packages, the profiles in them, and what those say of a record. */
export const packageText = {
  packages: {
    heading: 'Packages',
    what: 'FHIR packages bring profiles, value sets and code systems, by which records are judged here: nothing is sent anywhere. Drop the .tgz files of implementation guides, or unpacked packages, on the window.',
    chooseFiles: 'Choose packages',
    chooseFolder: 'Choose folder',
    look: 'Look again',
    lookHint: (folder: string) => `Reads what was copied to ${folder}`,
    empty: 'No packages yet. Records are judged by FHIR R4 and by your own checks.',
    failed: 'The packages could not be read.',
    notLooked: 'The folder of the packages was not looked at.',
    table: 'Packages',
    columns: { name: 'Package', holds: 'Holds', needs: 'Needs and lacks', action: 'Action' },
    holds: ({ StructureDefinition, ValueSet, CodeSystem }: Readonly<Record<string, number>>) =>
      [
        countOf(StructureDefinition ?? 0, 'structure definition'),
        countOf(ValueSet ?? 0, 'value set'),
        countOf(CodeSystem ?? 0, 'code system'),
      ].join(', '),
    dependencies: {
      held: 'is here',
      own: 'comes with Chartkeeper',
      other: 'is here in another version',
      lacking: 'is not here',
    },
    lacks: (title: string, canonicals: readonly string[]) => {
      const names = canonicals.slice(0, 3).map(nameOfCanonical).join(', ');
      const more = canonicals.length > 3 ? ` and ${formatCount(canonicals.length - 3)} more` : '';
      return `${title} cannot be judged to the end without ${names}${more}`;
    },
    complete: 'Nothing is lacking for the profiles that are used here',
    noProfiles: 'No profile of a type that is kept here',
    notUsable: (title: string) => `${title} has no snapshot: records cannot be judged by it`,
    states: { reading: 'Is being read', refused: 'Not used' },
    remove: 'Remove',
    removeOf: (file: string) => `Remove ${file}`,
    adding: (name: string) => `Reading ${name}`,
    added: (name: string, version: string) => `${name} ${version} was added.`,
    unchanged: (name: string, version: string) => `${name} ${version} was here before.`,
    notAdded: (file: string, why: string) => `${file} was not added. ${why}`,
    noPackage: 'No package is among these files: a .tgz, a .tar, or a folder with a package.json.',
    judgeBy: {
      heading: 'Judge by',
      what: 'The profiles that a record claims in meta.profile are judged where they are here. Choose one by which every record of a type is judged as well.',
      of: (type: string) => `Every ${type}`,
      claimed: 'What each record claims',
      away: (canonical: string) => `${canonical} (not here)`,
      notHere: (type: string) =>
        `The profile chosen for ${type} is in no package that is here: records are not judged by it.`,
      chosen: (type: string, title: string) => `Every ${type} is judged by ${title}.`,
      progress: 'Checks by profiles',
      checking: (plural: string, done: number, total: number) =>
        `Checking ${plural}: ${Math.floor((done / Math.max(1, total)) * 100)}%`,
      checked: (plural: string, violated: number, applied: number) =>
        `${plural}: ${formatCount(violated)} of ${countOf(applied, 'record')} checked by profiles have issues.`,
      released: (type: string) => `Each ${type} is judged by what it claims.`,
    },
    question: {
      title: 'Remove package',
      what: (name: string) => `${name} will be removed from this data folder.`,
      shared: (name: string) => `${name} will be removed from all servers of the store.`,
      findings:
        'What its profiles found goes with it; the records stay as they are. Adding it again brings both back.',
      chosen: (types: string) => `A profile of it is chosen for ${types}.`,
      confirm: 'Remove',
      keep: 'Keep package',
      failed: 'The package was not removed.',
    },
    removed: (name: string) => `Removed ${name}.`,
  },
  profiles: {
    mustSupport: 'must support',
    /** Behind an element that a profile in force wants. */
    mark: '(profile)',
    element: (title: string) => `Profile ${title}`,
    asks: (min: number, max: string) => `${min}..${max}`,
    slices: (names: readonly string[]) => `slices: ${names.join(', ')}`,
    openHeading: 'Not decidable here',
    noneFound: 'No issue in what can be decided',
    /** `needs` are what the server names, such as `CodeSystem http://snomed.info/sct`. */
    undecided: (count: number, needs: readonly string[]) => {
      const some = needs.slice(0, 3).map(nameOfNeed).join(', ');
      const more = needs.length > 3 ? ` and ${formatCount(needs.length - 3)} more` : '';
      const what = count === 1 ? '1 thing' : `${formatCount(count)} things`;
      return `${what} cannot be decided here: ${some}${more} ${needs.length === 1 ? 'is' : 'are'} not at hand.`;
    },
  },
} as const;
