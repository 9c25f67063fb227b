import type { Projection } from '../../core/fhir/search-criteria.ts';
import { project } from '../../core/fhir/projection.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';

/** What is made of a stored text for an answer. */
export const texts = {
  /** Laid out for reading; its lines but the first are indented. */
  format: async (text: string, indent: string) => format(scan(text).root, indent),
  /** The parts that were asked for. */
  project: async (text: string, projection: Projection) => project(scan(text).root, projection),
};

export type Texts = typeof texts;
