import { readSupportingResource } from '../../core/fhir/supporting-resource.ts';
import { indexRows, type IndexRows } from '../../core/derive/derive.ts';
import { literalsIn, type NamedLiteral } from '../../core/fhir/literals.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Projection } from '../../core/fhir/search-criteria.ts';
import { project } from '../../core/fhir/projection.ts';
import { formatNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { drafts } from './drafts.ts';
import { judgedPages } from './validated-page.ts';
import { claimedProfiles, validateParameters } from './validate-parameters.ts';

/** Jobs that convert a stored text for a response. */
const texts = {
  /** Formats it with indentation; every line but the first gets `indent`. */
  format: (text: string, indent: string): string => formatNode(scan(text).root, indent),
  /** Returns the references behind an index key. */
  references: (text: string, type: ResourceType, key: string): IndexRows['references'] =>
    indexRows(type, scan(text).root, new Set([key])).references,
  /** Returns the literal references of a text with their locations. */
  literals: (text: string): NamedLiteral[] => literalsIn(JSON.parse(text)),
  /** @throws FhirError if it cannot be stored as a supporting resource. */
  companion: readSupportingResource,
  /** Keeps only the requested parts. */
  project: (text: string, projection: Projection): string => project(scan(text).root, projection),
};

/** All jobs that need only texts. Their arguments and results can be sent to a worker. */
const jobs = { ...texts, ...drafts, ...judgedPages, claimedProfiles, validateParameters };

type Jobs = typeof jobs;
export type JobName = keyof Jobs;

/** A result that is available at once or comes from a worker. */
export type MaybePromise<Result> = Result | Promise<Result>;

/**
 * Runs a job here or in a worker; `shared` if other requests wait for this thread. Throws or rejects as the
 * job does.
 */
export type Run = <Name extends JobName>(
  job: Name,
  jobArguments: Parameters<Jobs[Name]>,
  shared?: boolean,
) => MaybePromise<ReturnType<Jobs[Name]>>;

/** Does a job at once. */
export const doHere: Run = <Name extends JobName>(job: Name, jobArguments: Parameters<Jobs[Name]>) =>
  Reflect.apply(jobs[job], jobs, jobArguments) as ReturnType<Jobs[Name]>;
