import type { JsonObject } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { arrange } from './arrange.ts';
import type { Finding } from './finding.ts';
import { schemaFindings } from './schema-findings.ts';
import { visit } from './visit.ts';

export interface ValidateOptions {
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
}

/**
 * Judges a record by FHIR R4's schema, its invariants and the steward's rules. Never throws; the findings are in
 * document order, at most one for each rule and element, those on a missing element at its parent.
 */
export function validate(record: JsonObject, type: ResourceType, { today }: ValidateOptions): Finding[] {
  const { value, findings } = visit(record, type, today);
  return arrange([...schemaFindings(value, type), ...findings], record);
}
