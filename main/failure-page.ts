import { createHash } from 'node:crypto';
import { dialog, type BrowserWindow } from 'electron';
import { escapeMarkup } from '../core/fhir/escape-markup.ts';
import { text } from './text.ts';

export interface Failure {
  /** One sentence for the user. */
  readonly message: string;
  readonly dataDir: string;
  readonly log: string;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; user-select: text; }
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Returns a page with the failure, the data folder and the log. It contains no script, image or address. */
export function failurePage({ message, dataDir, log }: Failure): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeMarkup(text.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeMarkup(text.failureTitle)}</h1>
<p>${escapeMarkup(message)}</p>
<p>${escapeMarkup(text.failureAdvice)}</p>
<dl>
<dt>${escapeMarkup(text.dataFolder)}</dt><dd>${escapeMarkup(dataDir)}</dd>
<dt>${escapeMarkup(text.log)}</dt><dd>${escapeMarkup(log)}</dd>
</dl>
</body>
</html>`;
}

/** Shows the failure in the window, or in a message box if the page has unsaved edits. */
export function showFailure(window: BrowserWindow, failure: Failure, unsavedTabs: number): void {
  // The window was closed while its page was loading.
  if (window.isDestroyed()) return;
  if (unsavedTabs > 0) {
    void dialog.showMessageBox(window, {
      type: 'error',
      title: text.failureTitle,
      message: failure.message,
      detail: text.failureKeepsPage(failure.log),
      buttons: [text.close],
    });
    return;
  }
  window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(failurePage(failure))}`).catch(() => {
    // The window was closed, or another page replaced this one.
  });
}
