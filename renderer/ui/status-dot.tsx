import { ToneDot, type Tone } from './tone-dot.tsx';

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  final: 'good',
  completed: 'neutral',
  draft: 'info',
  amended: 'info',
  preliminary: 'warning',
  'on-hold': 'warning',
  revoked: 'danger',
  'entered-in-error': 'danger',
  // Statuses of activities.
  scheduled: 'info',
  'in-progress': 'good',
  stopped: 'danger',
};

/**
 * Returns the tone of a status. A negated status, for example of an activity not to be performed, never has a
 * good tone.
 */
export function toneOf(status: string, negated = false): Tone {
  const tone = tones[status] ?? 'neutral';
  return negated && tone !== 'danger' ? 'warning' : tone;
}

export interface StatusProps {
  readonly status: string;
  /** True if the item with the status is negated. */
  readonly negated?: boolean;
}

/** Status of a record with a dot. The color supports the word and never replaces it. */
export function StatusDot({ status, negated }: StatusProps) {
  if (status === '') return null;
  return <ToneDot tone={toneOf(status, negated)} label={status} />;
}
