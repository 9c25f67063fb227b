/** Whether the focus is nowhere: on the page itself, or left behind in a pane that is not in front. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null || activeElement === document.body || activeElement.closest('[inert]') !== null
  );
}
