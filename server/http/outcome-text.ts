import type { Response } from 'express';
import { requestIdOf } from './head.ts';

/** The text of an OperationOutcome with these issues. */
export function outcomeText(response: Response, issue: unknown): string {
  return JSON.stringify({ resourceType: 'OperationOutcome', id: requestIdOf(response), issue });
}
