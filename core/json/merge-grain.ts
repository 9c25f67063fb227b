import type { JsonNode, JsonObject } from './node.ts';

/** Grain of a merge at one element: which values below it come from one side as a whole. */
export interface MergeGrain {
  /**
   * Returns true if the element is one value whose parts are never combined.
   *
   * @param values - The objects of the base and of both sides.
   */
  readonly isWhole: (values: readonly JsonObject[]) => boolean;
  /**
   * Returns the group name of a member. Members of one group form one value.
   *
   * @param owners - The objects of the base and of both sides.
   */
  readonly placeOf: (key: string, owners: readonly JsonNode[]) => string;
  /** Returns the grain of a member. The items of a list have the grain of the list. */
  readonly member: (key: string, owners: readonly JsonNode[]) => MergeGrain;
}

/** The grain of JSON without a schema: each member of each object is a value. */
export const plainGrain: MergeGrain = {
  isWhole: () => false,
  placeOf: (key) => key,
  member: () => plainGrain,
};
