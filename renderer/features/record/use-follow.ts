import { containedPointer } from '../../../core/fhir/contained.ts';
import type { Target } from '../../../core/fhir/follow.ts';
import { modelAt } from '../../platform/monaco-loader.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useStable } from '../../ui/use-stable.ts';
import { inspect } from '../../platform/read-json.ts';

/** How a reference of the open record is followed: within the record, to another one, or to a search. */
export function useFollow(modelPath: string): (target: Target) => void {
  const actions = useWorkbenchActions();
  return useStable((target) => {
    switch (target.kind) {
      case 'contained': {
        const read = inspect(modelAt(modelPath)?.getValue() ?? '');
        const pointer = read.valid ? containedPointer(read.root, target.id) : undefined;
        if (pointer !== undefined) revealPointer(modelPath, pointer);
        return;
      }
      case 'record':
        actions.openRecord({ type: target.type, id: target.id, title: target.id });
        return;
      case 'patient':
        actions.openPatient({ id: target.id, name: '' });
        return;
      case 'search':
        actions.search(target.pairs, target.type);
    }
  });
}
