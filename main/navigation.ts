import { app, shell, type Session, type WebContents } from 'electron';
import type { Log } from './log.ts';

type Origin = () => string | undefined;

const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

function hasUserInfo(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}

/**
 * Returns true if `url` is a page or a request of the server at `origin`. Always false while the origin is
 * unknown.
 */
export function isOwnUrl(url: string, origin: string | undefined): boolean {
  const parsed = URL.parse(url);
  // A `blob:` address has the origin of its creator, so the scheme is compared too.
  return parsed?.protocol === 'http:' && parsed.origin === origin && !hasUserInfo(parsed);
}

/** Returns the address for the system browser, or undefined for anything but plain https. */
export function externalTarget(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'https:' && !hasUserInfo(parsed) ? parsed.href : undefined;
}

/** Returns true if a page at `url` may have `permission`. */
export function isPermitted(permission: string, url: string, origin: string | undefined): boolean {
  return permission === ALLOWED_PERMISSION && isOwnUrl(url, origin);
}

function openExternal(url: string, log: Log): void {
  const target = externalTarget(url);
  if (target === undefined) return;
  shell.openExternal(target).catch(() => log('external link: the system could not open it'));
}

function guardContents(contents: WebContents, origin: Origin, log: Log): void {
  const blockForeign = (event: { readonly url: string; preventDefault: () => void }) => {
    if (!isOwnUrl(event.url, origin())) event.preventDefault();
  };
  contents.on('will-navigate', blockForeign);
  contents.on('will-frame-navigate', blockForeign);
  contents.on('will-redirect', blockForeign);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Also the page's own addresses open no second window, because quitting would not count the unsaved tabs in it.
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url, log);
    return { action: 'deny' };
  });
}

/** Guards every web contents. Must be called before the first window. */
export function setupNavigation(origin: Origin, log: Log): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, origin, log));
}

/**
 * Denies every permission of the session except writing sanitized text to the clipboard from the server's
 * page.
 */
export function setupPermissions(session: Session, origin: Origin): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isPermitted(permission, details.requestingUrl, origin()));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isPermitted(permission, requestingOrigin, origin()),
  );
  session.setDevicePermissionHandler(() => false);
}
