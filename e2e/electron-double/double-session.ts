import type { BrowserContext, Route } from '@playwright/test';

type Headers = Record<string, string>;
type HeaderListener = (
  details: { url: string; requestHeaders: Headers },
  callback: (answer: { cancel?: boolean; requestHeaders?: Headers }) => void,
) => void;

/** A session: its listeners apply to the pages of one browser context. Permissions are only recorded. */
export class DoubleSession {
  readonly handlers = new Set<string>();
  #listener: HeaderListener | undefined;
  readonly webRequest = {
    onBeforeSendHeaders: (listener: HeaderListener) => void (this.#listener = listener),
  };

  setPermissionRequestHandler(): void {
    this.handlers.add('request');
  }

  setPermissionCheckHandler(): void {
    this.handlers.add('check');
  }

  setDevicePermissionHandler(): void {
    this.handlers.add('device');
  }

  setSpellCheckerEnabled(enabled: boolean): void {
    if (!enabled) this.handlers.add('no spell checker');
  }

  /** Handles each request of the context by the listener, unless `navigate` rejects it. */
  async attach(context: BrowserContext, navigate: (route: Route) => boolean): Promise<void> {
    await context.route('**/*', async (route) => {
      if (!navigate(route)) return route.abort('aborted');
      const request = route.request();
      const { cancel, requestHeaders } = this.#decide(request.url(), request.headers());
      if (cancel === true) return route.abort('failed');
      return route.continue(requestHeaders === undefined ? {} : { headers: requestHeaders });
    });
  }

  #decide(url: string, requestHeaders: Headers): { cancel?: boolean; requestHeaders?: Headers } {
    let answer: { cancel?: boolean; requestHeaders?: Headers } = {};
    this.#listener?.({ url, requestHeaders }, (response) => (answer = response));
    return answer;
  }
}
