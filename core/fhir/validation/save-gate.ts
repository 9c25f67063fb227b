import type { ResourceType } from '../resource.ts';
import type { Finding } from './finding.ts';
import type { ValidationLevel } from './levels.ts';
import { listRejections } from './rejections.ts';
import { validateBaseline } from './validate.ts';
import type { VersionPair } from './version-pair.ts';

interface Save {
  readonly type: ResourceType;
  /** The current version and the version that would replace it. */
  readonly versions: VersionPair;
  /** Findings of the new version. */
  readonly findings: readonly Finding[];
  readonly level: ValidationLevel;
  /** A date (YYYY-MM-DD). */
  readonly today: string;
}

/**
 * Returns the errors for which an update is rejected: the errors that it adds (row 13a). Used by the server and
 * the page.
 */
export function rejectedFindings({ type, versions, findings, level, today }: Save): Finding[] {
  const errors = listRejections(findings, level);
  // Validates the previous version only if the new one has errors.
  if (errors.length === 0) return [];
  return versions.addedFindings(errors, validateBaseline(versions.before, type, today));
}
