import type { JsonObject } from './encode.ts';

export interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

export function snomed(code: string, display: string): Coding {
  return { system: 'http://snomed.info/sct', code, display };
}

export function loinc(code: string, display: string): Coding {
  return { system: 'http://loinc.org', code, display };
}

/** A code of HL7's own code systems (terminology.hl7.org). */
export function hl7(name: string, code: string, display: string): Coding {
  return { system: `http://terminology.hl7.org/CodeSystem/${name}`, code, display };
}

/** Returns a CodeableConcept; only text if no code is certain. */
export function concept(coding: Coding | undefined, text?: string): JsonObject {
  return { coding: coding && [{ ...coding }], text };
}

/** A Reference to a resource that lives in another system. */
export function refer(type: string, id: string, display?: string): JsonObject {
  return { reference: `${type}/${id}`, display };
}

/** An Identifier of the clinic's own. */
export function identify(kind: string, value: string): JsonObject {
  return { system: `https://clinic.example.org/identifiers/${kind}`, value };
}

/** Marks the content of each record as invented (FHIR R4 security-labels.html, test data). */
export const TEST_DATA: JsonObject = { security: [{ ...hl7('v3-ActReason', 'HTEST', 'test health data') }] };
