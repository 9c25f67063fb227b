import type { Projection } from '../../core/fhir/search-criteria.ts';
import { project } from '../../core/fhir/projection.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import type { Later } from './service.ts';

/** What is made of a stored text for an answer. */
export interface Texts {
  /** Lays it out for reading; its lines but the first are indented. */
  readonly format: (text: string, indent: string) => Later<string>;
  /** Takes the parts that were asked for. */
  readonly project: (text: string, projection: Projection) => Later<string>;
}

export const texts: Texts = {
  format: (text, indent) => format(scan(text).root, indent),
  project: (text, projection) => project(scan(text).root, projection),
};
