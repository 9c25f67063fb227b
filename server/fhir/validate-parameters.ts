import { FhirError } from '../../core/fhir/outcome.ts';
import { listClaimedProfiles, readJson } from '../../core/fhir/record.ts';
import { items, member, stringMember, serializeNode, type JsonNode } from '../../core/json/node.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';

const messages = defineMessages('parameters', {
  repeated: 'Send exactly one parameter {name}.',
  resourceWithoutRecord: 'The parameter resource must contain the record.',
  modeWithoutCode: 'The parameter mode must have a valueCode.',
  profileWithoutUri: 'The parameter profile must have a valueUri.',
});

/** Parameters of `$validate` in a `Parameters` body (FHIR R4 resource-operation-validate.html). */
export interface ValidateParameters {
  /** Exact JSON of the resource; absent if there is none. */
  readonly resource?: string;
  readonly mode?: string;
  readonly profile?: string;
  /** Names of parameters that the operation does not have. */
  readonly unknown: readonly string[];
}

/** Canonicals of the profiles that a record claims. */
export function claimedProfiles(text: string): readonly string[] {
  // Few records name any.
  if (!text.includes('"profile"')) return [];
  const root = readJson(text, 'Record');
  return root.kind === 'object' ? listClaimedProfiles(root) : [];
}

const texts = ['mode', 'profile'] as const;
const withoutValue = { mode: messages.modeWithoutCode, profile: messages.profileWithoutUri };

/**
 * Reads a Parameters body; undefined for another resource.
 *
 * @throws FhirError if it is not JSON, or if a parameter is repeated or has no usable value.
 */
export function validateParameters(text: string): ValidateParameters | undefined {
  const root = readJson(text, 'Record');
  if (stringMember(root, 'resourceType') !== 'Parameters') return undefined;
  const parameters = items(member(root, 'parameter'));
  const findParameter = (name: string): JsonNode | undefined => {
    const [match, duplicate] = parameters.filter((parameter) => stringMember(parameter, 'name') === name);
    if (duplicate) throw new FhirError('value', { ...messages.repeated({ name }), expression: 'Parameters' });
    return match;
  };
  const resource = findParameter('resource');
  const resourceNode = member(resource, 'resource');
  if (resource && resourceNode?.kind !== 'object') throw unusable(messages.resourceWithoutRecord());
  const values = texts.flatMap((name) => {
    const parameter = findParameter(name);
    if (!parameter) return [];
    const value = ['valueCode', 'valueUri', 'valueCanonical', 'valueString']
      .map((key) => stringMember(parameter, key))
      .find((parameterValue) => parameterValue !== undefined);
    if (value === undefined) throw unusable(withoutValue[name]());
    return [[name, value] as const];
  });
  return {
    ...Object.fromEntries(values),
    ...(resourceNode && { resource: serializeNode(resourceNode) }),
    unknown: parameters
      .map((parameter) => stringMember(parameter, 'name') ?? '')
      .filter((name) => ![...texts, 'resource'].includes(name)),
  };
}

function unusable(message: Message): FhirError {
  return new FhirError('value', { ...message, expression: 'Parameters.parameter' });
}
