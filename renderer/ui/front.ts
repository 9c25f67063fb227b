import { createContext, use } from 'react';

/** Whether the pane that a component stands in is the one in front: what nobody looks at may wait. */
export const FrontContext = createContext(true);

/** See {@link FrontContext}. */
export function useFront(): boolean {
  return use(FrontContext);
}
