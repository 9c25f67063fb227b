import { useSyncExternalStore } from 'react';

/** The parts of the Data view. */
export const dataParts = ['import', 'export', 'backups', 'training'] as const;
export type DataPart = (typeof dataParts)[number];

let shown: DataPart = 'import';
const listeners = new Set<() => void>();

/** Which part of the Data view is in front; a command can ask for one before the view is open. */
export const dataPart = {
  show(part: DataPart): void {
    shown = part;
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Follows the part that is in front. */
export function useDataPart(): DataPart {
  return useSyncExternalStore(dataPart.subscribe, () => shown);
}
