import {
  conformance,
  has,
  invariant,
  isPlainObject,
  list,
  reportIf,
  type PlainObject,
  type ReportFinding,
  type Rule,
  type RuleContext,
} from '../../types/definition/rule.ts';
import { isR4Type } from '../r4-names.ts';

/** Reports each contained resource that `isBroken` selects. */
function eachContained(
  record: PlainObject,
  report: ReportFinding,
  isBroken: (resource: PlainObject) => boolean,
  childTokens: readonly string[] = [],
): void {
  list(record.contained).forEach((resource, index) => {
    if (isPlainObject(resource) && isBroken(resource)) report(['contained', index, ...childTokens]);
  });
}

/** Invariants of each record and of its contained resources (FHIR R4 domainresource.html). */
export const resourceRules = [
  {
    id: 'r4-invariant',
    ...invariant,
    text: 'The R4 constraint {name} fails.',
    flagged: true,
  },
  {
    id: 'r4-advice',
    severity: 'warning',
    category: 'conformance',
    code: 'invariant',
    text: 'The R4 best practice {name} is not followed.',
  },
  {
    id: 'dom-2',
    ...invariant,
    text: 'A contained resource contains another one. Move it to the record itself.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) =>
      eachContained(record, report, (resource) => resource.contained !== undefined),
  },
  {
    id: 'dom-3',
    ...invariant,
    text: 'This contained resource is not referenced. Reference it or remove it.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding, { fragments }: RuleContext) =>
      eachContained(record, report, (resource) => {
        const id = typeof resource.id === 'string' ? resource.id.replace(/^#/, '') : '';
        // A fragment with the type before the id is malformed, and ref-1 reports it.
        const isReferenced =
          fragments.has(`#${id}`) || fragments.has(`#${String(resource.resourceType)}/${id}`);
        return !isReferenced && !refersToContainer(resource, 0);
      }),
  },
  {
    id: 'dom-4',
    ...invariant,
    text: 'A contained resource must not have meta.versionId or meta.lastUpdated.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) =>
      eachContained(
        record,
        report,
        ({ meta }) => isPlainObject(meta) && (has(meta, 'versionId') || has(meta, 'lastUpdated')),
      ),
  },
  {
    id: 'dom-5',
    ...invariant,
    text: 'A contained resource must not have a security label. Set it on the record.',
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) =>
      eachContained(record, report, ({ meta }) => isPlainObject(meta) && has(meta, 'security')),
  },
  {
    id: 'contained-type',
    ...conformance,
    code: 'structure',
    text: 'Unknown resource type.',
    subject: 'value',
    flagged: true,
    appliesTo: ['Contained'],
    check: reportIf(
      ({ resourceType }) => typeof resourceType === 'string' && !isR4Type(resourceType),
      'resourceType',
    ),
  },
  {
    id: 'contained-twice',
    ...conformance,
    code: 'structure',
    text: 'Two contained resources have the same id. Change one.',
    subject: 'repetition',
    flagged: true,
    appliesTo: ['Record'],
    check: (record: PlainObject, report: ReportFinding) => {
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

/** Returns true if a value contains `#`, the reference to the containing record. */
function refersToContainer(value: unknown, depth: number): boolean {
  if (value === '#') return true;
  if (depth > 64 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => refersToContainer(child, depth + 1));
}
