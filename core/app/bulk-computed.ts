import type { ResourceType } from '../fhir/resource.ts';

/** An element whose new value is asked for. */
export interface ComputePlace {
  /** JSON Pointer. */
  readonly pointer: string;
  /** FHIRPath of the element without indices, by which its type is known. */
  readonly base: string;
}

/** A FHIRPath expression on some elements of one record. */
export interface ComputeQuestion {
  readonly expression: string;
  /** The record's text. */
  readonly record: string;
  readonly places: readonly ComputePlace[];
}

/** What an expression came to: one text, or yes or no; else why it cannot be taken, in a sentence. */
export type Computed = { readonly value: string | boolean } | { readonly cannot: string };

/** Evaluates; an answer for each place, or why none came. */
export type Compute = (
  question: ComputeQuestion,
) => Promise<readonly Computed[] | { readonly cannot: string }>;

/** The place of an element. */
export function placeAt(type: ResourceType, pointer: string, tokens: readonly string[]): ComputePlace {
  const names = tokens.filter((token) => !/^[0-9]+$/.test(token));
  return { pointer, base: [type, ...names].join('.') };
}
