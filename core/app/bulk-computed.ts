import type { ResourceType } from '../fhir/resource.ts';

export interface ComputePlace {
  /** JSON Pointer. */
  readonly pointer: string;
  /** FHIRPath of the element without indices. It determines the type. */
  readonly base: string;
}

/** FHIRPath expression for elements of one record. */
export interface ComputeQuestion {
  readonly expression: string;
  /** The record's text. */
  readonly record: string;
  readonly places: readonly ComputePlace[];
}

/** Value of an expression, or a message that tells why it cannot be used. */
export type Computed = { readonly value: string | boolean } | { readonly cannot: string };

/** Evaluates an expression. Returns a value for each element, or a message for all of them. */
export type Compute = (
  question: ComputeQuestion,
) => Promise<readonly Computed[] | { readonly cannot: string }>;

/** Returns the pointer and the FHIRPath base of an element. */
export function placeAt(type: ResourceType, pointer: string, tokens: readonly string[]): ComputePlace {
  const names = tokens.filter((token) => !/^[0-9]+$/.test(token));
  return { pointer, base: [type, ...names].join('.') };
}
