/** Returns true if nothing has the focus, or an unreachable element. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || isBehind(activeElement);
}

/** Returns true if an element is unreachable: in an inactive pane or behind the lock screen. */
export function isBehind(element: Element): boolean {
  return element.closest('[inert], [data-behind]') !== null;
}

/**
 * Remembers the focused element. Returns the function that restores the focus if the element still exists.
 */
export function rememberFocus(): () => void {
  const { activeElement: focusedElement } = document;
  return () => {
    if (focusedElement instanceof HTMLElement && focusedElement.isConnected) focusedElement.focus();
  };
}
