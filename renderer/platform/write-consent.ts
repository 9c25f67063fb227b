import type { ConnectionSummary } from '../../core/app/connections.ts';

/**
 * Returns the confirmation of a write: the host on its button, if the connection asks before each write. A
 * press on a button of {@link sendLabel} confirms the host on it.
 */
export function consentOf(remote: ConnectionSummary | undefined): { readonly confirmed?: string } {
  return remote?.mode === 'confirm' ? { confirmed: remote.host } : {};
}

/**
 * Returns the label of a button that sends. It includes the host if the connection asks before each write.
 */
export function sendLabel(
  remote: ConnectionSummary | undefined,
  label: string,
  labelWith: (host: string) => string,
): string {
  const { confirmed } = consentOf(remote);
  return confirmed === undefined ? label : labelWith(confirmed);
}
