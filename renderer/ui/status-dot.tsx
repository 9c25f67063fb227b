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

/** The tone of a record's status. */
export function toneOf(status: string): Tone {
  return tones[status] ?? 'neutral';
}

/** A record's status: a small dot whose colour supports, and never replaces, the word. */
export function StatusDot({ status }: { readonly status: string }) {
  if (status === '') return null;
  return <ToneDot tone={toneOf(status)} label={status} />;
}
