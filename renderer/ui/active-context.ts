import { createContext, use, useEffect, useEffectEvent } from 'react';

/** True if the pane of a component is the active one. Work in inactive panes may wait. */
export const ActiveContext = createContext(true);

/** Returns the value of {@link ActiveContext}. */
export function useIsActive(): boolean {
  return use(ActiveContext);
}

/** Runs a function when the view becomes active. */
export function useReturn(isActive: boolean, onReturn: () => void): void {
  const handleReturn = useEffectEvent(onReturn);
  useEffect(() => {
    if (isActive) handleReturn();
  }, [isActive]);
}
