let isLeaving = false;

window.addEventListener('pagehide', () => (isLeaving = true));
window.addEventListener('pageshow', () => (isLeaving = false));

/**
 * Size that a browser sends even after the page was closed: 64 KiB for all such requests together (Fetch
 * standard).
 */
const maxBytes = 60 * 1024;

/** Marks the request as keepalive if the page is being left and the body is small enough. */
export function withKeepalive<T extends { readonly body?: string }>(init: T): T & { keepalive?: true } {
  const isSmall = init.body === undefined || new TextEncoder().encode(init.body).length <= maxBytes;
  return isLeaving && isSmall ? { ...init, keepalive: true } : init;
}
