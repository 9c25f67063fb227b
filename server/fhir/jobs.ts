import { readCompanion } from '../../core/fhir/companion.ts';
import { indexRows, type IndexRows } from '../../core/fhir/index-rows.ts';
import { literalsIn, type NamedLiteral } from '../../core/fhir/literals.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Projection } from '../../core/fhir/search-criteria.ts';
import { project } from '../../core/fhir/projection.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import { drafts } from './drafts.ts';
import { judgedPages } from './judged-page.ts';
import { claimedProfiles, validateParameters } from './validate-parameters.ts';

/** What is made of a stored text for an answer. */
const texts = {
  /** Lays it out for reading; its lines but the first are indented. */
  format: (text: string, indent: string): string => format(scan(text).root, indent),
  /** What the references are to that an index key looks at. */
  references: (text: string, type: ResourceType, key: string): IndexRows['references'] =>
    indexRows(type, scan(text).root, new Set([key])).references,
  /** The literal references that stand in it, each with its place. */
  literals: (text: string): NamedLiteral[] => literalsIn(JSON.parse(text)),
  /** @throws FhirError where it cannot be kept beside the records. */
  companion: readCompanion,
  /** Takes the parts that were asked for. */
  project: (text: string, projection: Projection): string => project(scan(text).root, projection),
};

/** All that is done with texts alone: its arguments and results cross to a thread and back. */
const jobs = { ...texts, ...drafts, ...judgedPages, claimedProfiles, validateParameters };

type Jobs = typeof jobs;
export type JobName = keyof Jobs;

/** A result that is there at once, or comes from a thread. */
export type Later<Result> = Result | Promise<Result>;

/** Has a job done, here or beside; `shared` where others wait for this thread. Throws, or rejects, as the job does. */
export type Run = <Name extends JobName>(
  job: Name,
  given: Parameters<Jobs[Name]>,
  shared?: boolean,
) => Later<ReturnType<Jobs[Name]>>;

/** Does a job at once. */
export const doHere: Run = <Name extends JobName>(job: Name, given: Parameters<Jobs[Name]>) =>
  Reflect.apply(jobs[job], jobs, given) as ReturnType<Jobs[Name]>;
