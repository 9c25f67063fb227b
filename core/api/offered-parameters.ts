import * as v from 'valibot';
import type { ResourceType } from '../fhir/resource.ts';
import { print } from '../json/print.ts';
import type { JsonNode } from '../json/node.ts';
import { parseAs, type Shape } from '../json/shape.ts';

const Parameter = v.object({
  name: v.string(),
  type: v.exactOptional(v.string()),
  documentation: v.exactOptional(v.string()),
});
export type OfferedParameter = Shape<typeof Parameter>;

const Statement = v.object({
  rest: v.array(
    v.object({
      resource: v.optional(
        v.array(v.object({ type: v.string(), searchParam: v.optional(v.array(Parameter), []) })),
        [],
      ),
    }),
  ),
});

/**
 * The search parameters that a server's CapabilityStatement has for a type (FHIR R4 capabilitystatement.html), each
 * once; undefined where it has no statement, or none for the type.
 */
export function offeredParameters(
  statement: JsonNode | undefined,
  type: ResourceType,
): readonly OfferedParameter[] | undefined {
  const read = statement && parseAs(Statement, print(statement));
  const found = read?.rest.flatMap(({ resource }) => resource).filter((one) => one.type === type) ?? [];
  const parameters = found.flatMap(({ searchParam }) => searchParam);
  if (parameters.length === 0) return undefined;
  return [...new Map(parameters.map((one) => [one.name, one])).values()];
}
