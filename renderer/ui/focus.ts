/** Whether the focus is nowhere: on the page itself, or left behind in what cannot be reached. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || isBehind(activeElement);
}

/** Whether an element stands where nobody reaches it: in a pane that is not in front, or behind the lock. */
export function isBehind(element: Element): boolean {
  return element.closest('[inert], [data-behind]') !== null;
}

/** Remembers what has the focus; returns how to give it back, where that is still there. */
export function rememberFocus(): () => void {
  const { activeElement: before } = document;
  return () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
}
