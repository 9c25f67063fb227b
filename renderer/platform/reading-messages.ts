/** What the page and the worker that lays a text out say to each other. */
import type { Reading } from '../../core/fhir/reading/reading.ts';

export interface ReadingQuestion {
  readonly text: string;
  /** A date (YYYY-MM-DD): how long something is over depends on it. */
  readonly today: string;
}

export interface ReadingAnswer {
  readonly ticket: number;
  /** Whether this is the beginning of a long document, which follows whole. */
  readonly more: boolean;
  /** Absent where the text is not a JSON object. */
  readonly reading?: Reading;
}
