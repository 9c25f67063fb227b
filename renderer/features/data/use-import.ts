import { useSyncExternalStore } from 'react';
import { imports } from './import-run.ts';
import type { ImportState } from './import-state.ts';

/** Follows the import of this window. */
export function useImport(): ImportState {
  return useSyncExternalStore(imports.subscribe, imports.state);
}
