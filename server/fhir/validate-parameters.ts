import { FhirError } from '../../core/fhir/outcome.ts';
import { claimedBy, readJson } from '../../core/fhir/record.ts';
import { items, member, stringMember, type JsonNode } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';

/** What a `Parameters` body asks of `$validate` (FHIR R4 resource-operation-validate.html). */
export interface ValidateParameters {
  /** The exact JSON of the resource; absent where there is none. */
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
  return root.kind === 'object' ? claimedBy(root) : [];
}

const texts = ['mode', 'profile'] as const;

/**
 * Reads a body that is Parameters; undefined where it is another resource.
 *
 * @throws FhirError where it is no JSON, or where a parameter stands twice or has no usable value.
 */
export function validateParameters(text: string): ValidateParameters | undefined {
  const root = readJson(text, 'Record');
  if (stringMember(root, 'resourceType') !== 'Parameters') return undefined;
  const all = items(member(root, 'parameter'));
  const named = (name: string): JsonNode | undefined => {
    const [found, another] = all.filter((one) => stringMember(one, 'name') === name);
    if (another)
      throw new FhirError('value', { text: `Send one parameter ${name}.`, expression: 'Parameters' });
    return found;
  };
  const resource = named('resource');
  const held = member(resource, 'resource');
  if (resource && held?.kind !== 'object') throw unusable('resource holds the record as its resource');
  const values = texts.flatMap((name) => {
    const found = named(name);
    if (!found) return [];
    const value = ['valueCode', 'valueUri', 'valueCanonical', 'valueString']
      .map((key) => stringMember(found, key))
      .find((one) => one !== undefined);
    if (value === undefined) throw unusable(`${name} has a ${name === 'mode' ? 'valueCode' : 'valueUri'}`);
    return [[name, value] as const];
  });
  return {
    ...Object.fromEntries(values),
    ...(held && { resource: print(held) }),
    unknown: all
      .map((one) => stringMember(one, 'name') ?? '')
      .filter((name) => ![...texts, 'resource'].includes(name)),
  };
}

function unusable(text: string): FhirError {
  return new FhirError('value', { text: `The parameter ${text}.`, expression: 'Parameters.parameter' });
}
