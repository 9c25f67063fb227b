import * as v from 'valibot';
import type { ResourceType } from '../fhir/resource.ts';
import { serializeNode, type JsonNode } from '../json/node.ts';
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
 * Returns the distinct search parameters of a type in a CapabilityStatement (FHIR R4
 * capabilitystatement.html); undefined if it has none.
 */
export function listSupportedParameters(
  statement: JsonNode | undefined,
  type: ResourceType,
): readonly OfferedParameter[] | undefined {
  const parsed = statement && parseAs(Statement, serializeNode(statement));
  const resources =
    parsed?.rest.flatMap(({ resource }) => resource).filter((resource) => resource.type === type) ?? [];
  const parameters = resources.flatMap(({ searchParam }) => searchParam);
  if (parameters.length === 0) return undefined;
  return [...new Map(parameters.map((parameter) => [parameter.name, parameter])).values()];
}
