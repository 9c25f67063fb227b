import {
  conformance,
  has,
  invariant,
  isMembers,
  list,
  reportIf,
  type Members,
  type Report,
  type Rule,
  type Surroundings,
} from '../../types/definition/rule.ts';
import { isR4Type } from '../r4-names.ts';

/** Reports each contained resource that `broken` picks. */
function eachContained(
  record: Members,
  report: Report,
  broken: (one: Members) => boolean,
  below: readonly string[] = [],
): void {
  list(record.contained).forEach((one, index) => {
    if (isMembers(one) && broken(one)) report(['contained', index, ...below]);
  });
}

/** Invariants of every record and of the resources that it contains (FHIR R4 domainresource.html). */
export const resourceRules = [
  {
    id: 'r4-invariant',
    ...invariant,
    text: 'FHIR R4’s rule {} is broken; correct the element.',
    flagged: true,
  },
  {
    id: 'r4-advice',
    severity: 'warning',
    category: 'conformance',
    code: 'invariant',
    text: 'FHIR R4’s advice {} is not followed; look into it.',
  },
  {
    id: 'dom-2',
    ...invariant,
    text: 'A contained resource contains another one; list both in the record itself.',
    on: ['Record'],
    check: (record: Members, report: Report) =>
      eachContained(record, report, (one) => one.contained !== undefined),
  },
  {
    id: 'dom-3',
    ...invariant,
    text: 'Nothing in the record refers to this contained resource; refer to it or remove it.',
    on: ['Record'],
    check: (record: Members, report: Report, { fragments }: Surroundings) =>
      eachContained(record, report, (one) => {
        const id = typeof one.id === 'string' ? one.id.replace(/^#/, '') : '';
        // A fragment with the type before the id is malformed: the rule ref-1 says so, once is enough.
        const referred = fragments.has(`#${id}`) || fragments.has(`#${String(one.resourceType)}/${id}`);
        return !referred && !refersToContainer(one, 0);
      }),
  },
  {
    id: 'dom-4',
    ...invariant,
    text: 'A contained resource has a version or a time of change; remove both from its meta.',
    on: ['Record'],
    check: (record: Members, report: Report) =>
      eachContained(
        record,
        report,
        ({ meta }) => isMembers(meta) && (has(meta, 'versionId') || has(meta, 'lastUpdated')),
      ),
  },
  {
    id: 'dom-5',
    ...invariant,
    text: 'A contained resource has a security label; set it on the record itself.',
    on: ['Record'],
    check: (record: Members, report: Report) =>
      eachContained(record, report, ({ meta }) => isMembers(meta) && has(meta, 'security')),
  },
  {
    id: 'contained-type',
    ...conformance,
    code: 'structure',
    text: 'FHIR R4 has no resource of this type; correct the resourceType.',
    about: 'value',
    flagged: true,
    on: ['Contained'],
    check: reportIf(
      ({ resourceType }) => typeof resourceType === 'string' && !isR4Type(resourceType),
      'resourceType',
    ),
  },
  {
    id: 'contained-twice',
    ...conformance,
    code: 'structure',
    text: 'Two contained resources have one id, so that no reference tells them apart; give one of them another.',
    about: 'repetition',
    flagged: true,
    on: ['Record'],
    check: (record: Members, report: Report) => {
      const ids = new Set<unknown>();
      eachContained(
        record,
        report,
        ({ id }) => {
          const twice = typeof id === 'string' && ids.has(id);
          ids.add(id);
          return twice;
        },
        ['id'],
      );
    },
  },
] as const satisfies readonly Rule[];

/** `#` alone is how a contained resource refers to the record that it stands in. */
function refersToContainer(value: unknown, depth: number): boolean {
  if (value === '#') return true;
  if (depth > 64 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one) => refersToContainer(one, depth + 1));
}
