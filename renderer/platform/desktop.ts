import type { DesktopBridge } from '../../core/app/shell.ts';

declare global {
  interface Window {
    readonly chartkeeper?: DesktopBridge;
  }
}

/** The desktop shell's bridge; undefined in a browser. */
export const desktop: DesktopBridge | undefined = window.chartkeeper;

/** Whether command keys are Cmd and not Ctrl. */
export const isMac = /mac/i.test(desktop?.platform ?? navigator.userAgent);
