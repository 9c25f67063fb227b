import type { Minute, Zone } from './calendar.ts';
import { hl7, type Coding } from './terms.ts';

export type Setting = 'clinic' | 'ward' | 'home';

export interface NamedEntity {
  readonly id: string;
  readonly name: string;
}

export type Role = 'doctor' | 'nurse';

interface Practitioner extends NamedEntity {
  readonly role: Role;
}

export interface SettingRow {
  readonly organization: NamedEntity;
  readonly zone: Zone;
  readonly encounterClass: Coding;
  /** Between which hours an encounter starts. */
  readonly hours: readonly [first: number, last: number];
  readonly stay: readonly [least: Minute, most: Minute];
  readonly staff: readonly Practitioner[];
}

/**
 * Settings of care with their staff. The hospital uses UTC, so that zones differ. No setting has summer
 * time.
 */
export const settings: Readonly<Record<Setting, SettingRow>> = {
  clinic: {
    organization: { id: 'demo-organization-1', name: 'Example Street Health Centre' },
    zone: '+01:00',
    encounterClass: hl7('v3-ActCode', 'AMB', 'ambulatory'),
    hours: [8, 16],
    stay: [15, 45],
    staff: [
      { id: 'demo-practitioner-01', name: 'Dr Ivo Placeholder', role: 'doctor' },
      { id: 'demo-practitioner-02', name: 'Dr Åse Test-Berg', role: 'doctor' },
      { id: 'demo-practitioner-03', name: 'Dr Nia Specimen', role: 'doctor' },
      { id: 'demo-practitioner-04', name: 'Nurse Tom Sampleton', role: 'nurse' },
    ],
  },
  ward: {
    organization: { id: 'demo-organization-2', name: 'Placeholder General Hospital' },
    zone: 'Z',
    encounterClass: hl7('v3-ActCode', 'IMP', 'inpatient encounter'),
    hours: [0, 23],
    stay: [2 * 1440, 12 * 1440],
    staff: [
      { id: 'demo-practitioner-05', name: 'Dr Jürgen Müller-Muster', role: 'doctor' },
      { id: 'demo-practitioner-06', name: 'Dr Lea Exemplar', role: 'doctor' },
      { id: 'demo-practitioner-07', name: 'Dr 例 Testa', role: 'doctor' },
      { id: 'demo-practitioner-08', name: 'Nurse Zoë Dummett-Demo', role: 'nurse' },
    ],
  },
  home: {
    organization: { id: 'demo-organization-3', name: 'Sampleton Community Nursing' },
    zone: '+01:00',
    encounterClass: hl7('v3-ActCode', 'HH', 'home health'),
    hours: [9, 15],
    stay: [30, 90],
    staff: [
      { id: 'demo-practitioner-09', name: 'Nurse Olu Mockridge', role: 'nurse' },
      { id: 'demo-practitioner-10', name: 'Nurse Eva Fixture', role: 'nurse' },
    ],
  },
};
