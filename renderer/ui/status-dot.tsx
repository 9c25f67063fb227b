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
  // Of an activity.
  scheduled: 'info',
  'in-progress': 'good',
  stopped: 'danger',
};

/** The tone of a status; that of something negated, such as an activity not to be performed, is never a good one. */
export function toneOf(status: string, negated = false): Tone {
  const tone = tones[status] ?? 'neutral';
  return negated && tone !== 'danger' ? 'warning' : tone;
}

export interface StatusProps {
  readonly status: string;
  /** True if what has the status is negated. */
  readonly negated?: boolean;
}

/** A record's status: a small dot whose colour supports, and never replaces, the word. */
export function StatusDot({ status, negated }: StatusProps) {
  if (status === '') return null;
  return <ToneDot tone={toneOf(status, negated)} label={status} />;
}
