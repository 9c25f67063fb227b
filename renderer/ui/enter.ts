import type { KeyboardEvent } from 'react';

/** Returns true for an Enter that does not end the composition of a character. */
export function isEnter({ key, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !nativeEvent.isComposing;
}
