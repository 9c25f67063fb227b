import type { Failure } from '../../ui/failure.ts';

/** Whether the server says that the record was there, and was deleted (FHIR R4 http.html#delete). */
export function isDeleted({ status }: Failure): boolean {
  return status === 410;
}

/** Whether the server holds the record no more. */
export function isGone({ status }: Failure): boolean {
  return status === 404 || status === 410;
}
