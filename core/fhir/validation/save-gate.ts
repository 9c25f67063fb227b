import type { ResourceType } from '../resource.ts';
import type { Finding } from './finding.ts';
import { refusals, type ValidationLevel } from './levels.ts';
import { validateBaseline } from './validate.ts';
import type { VersionPair } from './version-pair.ts';

interface Save {
  readonly type: ResourceType;
  /** The version that is current and the version that is to follow it. */
  readonly versions: VersionPair;
  /** Those of the version that is to follow. */
  readonly findings: readonly Finding[];
  readonly level: ValidationLevel;
  /** A date (YYYY-MM-DD). */
  readonly today: string;
}

/** Returns the errors for which an update is rejected: those that it adds (row 13a). The server and the page decide by it. */
export function rejectedFindings({ type, versions, findings, level, today }: Save): Finding[] {
  const errors = refusals(findings, level);
  // Only a record that would be rejected is worth a look at the errors it had before.
  if (errors.length === 0) return [];
  return versions.addedFindings(errors, validateBaseline(versions.before, type, today));
}
