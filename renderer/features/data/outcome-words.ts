import { text } from '../../ui/text.ts';
import type { ImportState } from './import-state.ts';

/** What an import came to, in a sentence; empty while there is nothing to say. */
export function outcomeWords({ phase, progress: { counts } }: ImportState): string {
  const words = text.data.import;
  switch (phase.name) {
    case 'done':
      return words.done(counts, phase.dryRun);
    case 'stopped':
      return words.stopped(counts, phase.dryRun);
    case 'failed':
      return `${words.failed(phase.dryRun)} ${words.confirmed(counts, phase.dryRun)}`;
    case 'idle':
    case 'running':
    case 'stopping':
      return '';
  }
}
