import type { KeyboardEvent } from 'react';

/** Whether a key is an Enter that ends what is typed, and not one that ends the composing of a character. */
export function isEnter({ key, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !nativeEvent.isComposing;
}
