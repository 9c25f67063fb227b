/**
 * server/demo generates an invented clinic: CarePlans and Compositions of patients who do not exist. Called
 * by the CLI, at the first start and by the tests. Invariant: the output depends only on the arguments,
 * byte for byte, so that ids can be documented. More patients never change the records of earlier ones.
 */
import { carePlan } from './care-plan.ts';
import { composition } from './composition.ts';
import { write, type JsonObject } from './encode.ts';
import { createPatient, type Patient } from './patient.ts';
import { Random } from './random.ts';

export interface DemoOptions {
  /** A 32-bit integer. Another seed generates another clinic. */
  readonly seed?: number;
  readonly patients?: number;
  /** Number of the first patient: another part of the same clinic. */
  readonly firstPatient?: number;
}

/** `text` is the resource as compact JSON with its id, but without versionId and lastUpdated: the store sets them. */
export interface DemoRecord {
  readonly type: 'CarePlan' | 'Composition';
  readonly id: string;
  readonly text: string;
}

/** A record before it is written down. */
export interface DemoDraft extends Omit<DemoRecord, 'text'> {
  readonly json: JsonObject;
  readonly patient: Patient;
}

export interface DemoPatient {
  readonly id: string;
  readonly name: string;
  /** The ids of the encounters that the patient's records point to, earliest first. */
  readonly encounters: readonly string[];
}

interface RecordType {
  readonly type: DemoRecord['type'];
  readonly make: (random: Random, id: string, patient: Patient, number: number) => JsonObject;
  readonly count: (patient: Patient) => number;
  readonly stream: number;
}

/** Each type has its own stream of random numbers, so that one more plan does not change the documents. */
const types: readonly RecordType[] = [
  { type: 'CarePlan', make: carePlan, count: (patient) => patient.plans.length, stream: 0x100 },
  { type: 'Composition', make: composition, count: (patient) => patient.documents, stream: 0x200 },
];

/** Yields all records of the clinic by patient, CarePlans before Compositions; generated on demand. */
export function* generateClinic(options: DemoOptions = {}): Generator<DemoRecord, void, undefined> {
  for (const { type, id, json } of draftClinic(options)) yield { type, id, text: write(json) };
}

/** The records of {@link generateClinic}, before they are written down. */
export function* draftClinic(options: DemoOptions = {}): Generator<DemoDraft, void, undefined> {
  const { seed = 1, patients = 200, firstPatient = 1 } = options;
  for (let index = firstPatient; index < firstPatient + patients; index += 1) {
    const patient = createPatient(seed, index);
    for (const { type, make, count, stream } of types) {
      for (let number = 1; number <= count(patient); number += 1) {
        const random = new Random(seed, index, stream + number);
        const id = random.uuid();
        yield { type, id, patient, json: make(random, id, patient, number) };
      }
    }
  }
}

/**
 * Returns the patients of the clinic that {@link generateClinic} generates from the same options, for
 * searches.
 */
export function demoPatients(options: DemoOptions = {}): DemoPatient[] {
  const { seed = 1, patients = 200 } = options;
  return Array.from({ length: patients }, (_, position) => {
    const { id, name, encounters } = createPatient(seed, position + 1);
    return { id, name, encounters: encounters.map((encounter) => encounter.id) };
  });
}
