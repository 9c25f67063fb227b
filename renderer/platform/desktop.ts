import type { DesktopBridge } from '../../core/app/shell.ts';

declare global {
  interface Window {
    readonly chartkeeper?: DesktopBridge;
  }
}

/** Bridge of the desktop shell; undefined in a browser. */
export const desktop: DesktopBridge | undefined = window.chartkeeper;

/** True if command keys use Cmd instead of Ctrl. */
export const isMac = /mac/i.test(desktop?.platform ?? navigator.userAgent);
