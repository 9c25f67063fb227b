let leaving = false;

window.addEventListener('pagehide', () => (leaving = true));
window.addEventListener('pageshow', () => (leaving = false));

/** What a browser sends to its end although the page is gone: Fetch standard, 64 KiB for all such requests together. */
const mostBytes = 60 * 1024;

/** The request as it outlives the page, where the page is being left and the body is small enough. */
export function outliving<T extends { readonly body?: string }>(init: T): T & { keepalive?: true } {
  const small = init.body === undefined || new TextEncoder().encode(init.body).length <= mostBytes;
  return leaving && small ? { ...init, keepalive: true } : init;
}
