import type { Failure } from '../../ui/failure.ts';

/** Whether the server holds the record no more. */
export function isGone({ status }: Failure): boolean {
  return status === 404 || status === 410;
}
