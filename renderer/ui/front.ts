import { createContext, use, useEffect, useEffectEvent } from 'react';

/** Whether the pane that a component stands in is the one in front: what nobody looks at may wait. */
export const FrontContext = createContext(true);

/** See {@link FrontContext}. */
export function useFront(): boolean {
  return use(FrontContext);
}

/** Runs something when the view comes to the front. */
export function useReturn(front: boolean, run: () => void): void {
  const returned = useEffectEvent(run);
  useEffect(() => {
    if (front) returned();
  }, [front]);
}
