import type { ConnectionSummary } from '../../core/app/connections.ts';

/**
 * What goes with a write: the host that its button named, where the connection asks before each. Whoever presses a button
 * of {@link sendLabel} has confirmed the host that stands on it.
 */
export function consentOf(remote: ConnectionSummary | undefined): { readonly confirmed?: string } {
  return remote?.mode === 'confirm' ? { confirmed: remote.host } : {};
}

/** A button that sends: `act`, and the host as `place` puts it where the connection asks before each write. */
export function sendLabel(
  remote: ConnectionSummary | undefined,
  act: string,
  place: (act: string, host: string) => string,
): string {
  const { confirmed } = consentOf(remote);
  return confirmed === undefined ? act : place(act, confirmed);
}
