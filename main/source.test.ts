/*
 * Reads main/ as a syntax tree and asserts what a reviewer would look for line by line: items 15 to 17 of the security
 * design. A comment or a string cannot satisfy it, and a second window, handler or link cannot slip past it.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { channels } from '../core/app/shell.ts';
import {
  callsOf,
  eventsIn,
  filesOf,
  imported,
  mentions,
  nodes,
  nodesOf,
  parse,
  sources,
  valuesOf,
} from './testing/source-tree.ts';

it('reads real code', () => {
  expect(sources.length).toBeGreaterThan(25);
  expect(imported).toContain('main.ts: app');
});

describe('15: the window', () => {
  it('is created in one place, hardened there', () => {
    expect(filesOf('BrowserWindow')).toEqual(['window.ts']);
    const settings = {
      contextIsolation: 'true',
      sandbox: 'true',
      nodeIntegration: 'false',
      nodeIntegrationInSubFrames: 'false',
      nodeIntegrationInWorker: 'false',
      webviewTag: 'false',
      webSecurity: 'true',
      allowRunningInsecureContent: 'false',
      navigateOnDragDrop: 'false',
      spellcheck: 'false',
      devTools: '!app.isPackaged',
    };
    for (const [setting, value] of Object.entries(settings)) {
      expect(valuesOf(setting), setting).toEqual([`window.ts: ${value}`]);
    }
    for (const loose of ['experimentalFeatures', 'enableBlinkFeatures', 'disableBlinkFeatures', 'plugins']) {
      expect(valuesOf(loose)).toEqual([]);
    }
  });

  it('is no webview, no view and no second kind of window', () => {
    for (const other of ['WebContentsView', 'BrowserView', 'BaseWindow', 'webContents']) {
      expect(imported.filter((one) => one.endsWith(`: ${other}`))).toEqual([]);
    }
  });

  it('is sandboxed before Electron is ready', () => {
    expect(filesOf('enableSandbox')).toEqual(['main.ts']);
    const text = sources.find(({ name }) => name === 'main.ts')?.tree.getText() ?? '';
    expect(text.indexOf('enableSandbox();')).toBeGreaterThan(0);
    expect(text.indexOf('enableSandbox();')).toBeLessThan(text.indexOf('.whenReady()'));
  });

  it('loads the server’s page and the failure page, and nothing else', () => {
    const loaded = callsOf('loadURL').map(({ name, args }) => `${name}: ${args[0]?.getText() ?? ''}`);
    expect(loaded).toEqual([
      'failure-page.ts: `data:text/html;charset=utf-8,${encodeURIComponent(failurePage(failure))}`',
      'page-loader.ts: `${origin}/`',
    ]);
    for (const other of ['loadFile', 'executeJavaScript', 'insertCSS', 'downloadURL', 'openDevTools']) {
      expect(filesOf(other), other).toEqual([]);
    }
  });

  it('gets no permission but that of one handler for requests and one for checks', () => {
    for (const handler of [
      'setPermissionRequestHandler',
      'setPermissionCheckHandler',
      'setDevicePermissionHandler',
    ]) {
      expect(filesOf(handler), handler).toEqual(['navigation.ts']);
    }
    const strings = nodes
      .filter(({ node }) => ts.isStringLiteral(node))
      .map(({ node }) => node as ts.StringLiteral);
    const permissions = strings
      .map(({ text }) => text)
      .filter((text) => /clipboard|geolocation|media$/.test(text));
    expect(permissions).toEqual(['clipboard-sanitized-write']);
  });

  it('has its navigation, redirects, webviews and new windows blocked for every contents', () => {
    expect(eventsIn('navigation.ts')).toEqual([
      "'will-navigate'",
      "'will-frame-navigate'",
      "'will-redirect'",
      "'will-attach-webview'",
      "'web-contents-created'",
    ]);
    expect(filesOf('setWindowOpenHandler')).toEqual(['navigation.ts']);
    expect(valuesOf('action')).toEqual(["navigation.ts: 'deny'"]);
  });

  it('opens links outside from one file, from a parsed https address', () => {
    expect(imported.filter((one) => one.endsWith(': shell'))).toEqual(['navigation.ts: shell']);
    expect(callsOf('openExternal').map(({ args }) => args[0]?.getText())).toEqual(['target', 'url']);
    for (const other of ['openPath', 'showItemInFolder', 'trashItem']) expect(filesOf(other)).toEqual([]);
  });

  it('has no remote content: no address of another host, no protocol handler, no request of the shell', () => {
    const addresses = nodes
      .filter(({ node }) => ts.isStringLiteralLike(node))
      .map(({ node }) => (node as ts.StringLiteral).text)
      .filter((text) => /^(?:https?|wss?|ftp|file):/.test(text));
    expect([...new Set(addresses)].sort()).toEqual(['http:', 'https:']);
    for (const other of ['net', 'protocol', 'autoUpdater', 'crashReporter', 'ipcMain', 'desktopCapturer']) {
      expect(
        imported.filter((one) => one.endsWith(`: ${other}`)),
        other,
      ).toEqual([]);
    }
    // The one request is the user's own, to a configured address; its answer is read, and nothing is run or kept of it.
    expect(filesOf('fetch')).toEqual(['update-check.ts']);
    expect(callsOf('fetch').map(({ name, args }) => `${name}: ${args[0]?.getText() ?? ''}`)).toEqual([
      'update-check.ts: address',
    ]);
    expect(callsOf('tellUpdate').map(({ name }) => name)).toEqual(['shell.ts']);
  });

  it('runs no code that it was handed', () => {
    for (const name of ['eval', 'Function', 'exec', 'execSync', 'spawn', 'spawnSync', 'runInContext']) {
      expect(
        filesOf(name).filter((file) => !usesRegExp(file, name)),
        name,
      ).toEqual([]);
    }
    expect(callsOf('fork').map(({ name, args }) => `${name}: ${args.length}`)).toEqual([
      'server-child.ts: 3',
      'server-process.ts: 0',
    ]);
    expect(mentions('child_process')).toEqual([]);
    expect(
      nodes.filter(({ node }) => ts.isImportDeclaration(node) && /child_process|vm'/.test(node.getText())),
    ).toEqual([]);
  });
});

/** `exec` is a method of regular expressions; none of these files imports one that runs a program. */
function usesRegExp(file: string, name: string): boolean {
  const text = sources.find((source) => source.name === file)?.tree.getText() ?? '';
  return name === 'exec' && !text.includes('child_process');
}

describe('16: messages', () => {
  it('come in at one place, from the contents alone', () => {
    const listening = callsOf('on').filter(({ args }) =>
      /^'ipc-message|^'message'/.test(args[0]?.getText() ?? ''),
    );
    expect(listening.map(({ name, args }) => `${name}: ${args[0]?.getText() ?? ''}`)).toEqual([
      "ipc.ts: 'ipc-message'",
      "server-child.ts: 'message'",
    ]);
    expect(mentions('ipcMain')).toEqual([]);
    expect(mentions('MessageChannelMain')).toEqual([]);
  });

  it('are checked by frame, then origin, then channel, then argument', () => {
    const receive = nodes.find(({ node }) => ts.isFunctionDeclaration(node) && node.name?.text === 'receive');
    const verdicts = nodesOf(receive?.node ?? parse(join(import.meta.dirname, 'ipc.ts')))
      .filter(ts.isStringLiteral)
      .map(({ text }) => text);
    expect(verdicts).toEqual([
      'foreign frame',
      'foreign origin',
      'unknown channel',
      'handled',
      'bad argument',
    ]);
    expect(mentions('senderFrame')).toEqual(['ipc.ts']);
  });

  it('have a channel of the table each: the registry takes those of the page, the shell sends the others', () => {
    const inFile = (file: string) =>
      nodes.flatMap(({ name, node }) =>
        name === file && ts.isPropertyAccessExpression(node) && node.expression.getText() === 'channels'
          ? [node.name.text]
          : [],
      );
    expect(inFile('ipc.ts').sort()).toEqual(['connection', 'ready', 'unlock', 'unsavedTabs']);
    const all = [...inFile('ipc.ts'), ...inFile('shell.ts'), ...inFile('menu.ts')];
    expect([...new Set(all)].sort()).toEqual(Object.keys(channels).sort());
    expect([...new Set(inFile('preload.ts'))].sort()).toEqual(Object.keys(channels).sort());
    const literals = nodes.filter(
      ({ node }) => ts.isStringLiteralLike(node) && node.text.startsWith('chartkeeper:'),
    );
    expect(literals).toEqual([]);
  });

  it('leave the page by one bridge, which hands over no event and nothing of Electron', () => {
    expect(imported.filter((one) => /: (?:contextBridge|ipcRenderer)$/.test(one))).toEqual([
      'preload.ts: contextBridge',
      'preload.ts: ipcRenderer',
    ]);
    expect(callsOf('exposeInMainWorld').map(({ args }) => args.map((one) => one.getText()))).toEqual([
      ["'chartkeeper'", 'bridge'],
    ]);
    for (const other of ['sendSync', 'invoke', 'sendToHost', 'postMessage']) {
      expect(
        filesOf(other).filter((file) => file === 'preload.ts'),
        other,
      ).toEqual([]);
    }
  });
});

describe('17: fuses', () => {
  it('are all set by name in one table', () => {
    const settings = ['fuses.ts', '../scripts/after-pack.ts']
      .flatMap((file) => nodesOf(parse(join(import.meta.dirname, file))))
      .flatMap((node) =>
        ts.isPropertyAssignment(node) ? [`${node.name.getText()}: ${node.initializer.getText()}`] : [],
      );
    expect(settings).toEqual(
      expect.arrayContaining([
        'RunAsNode: false',
        'EnableNodeOptionsEnvironmentVariable: false',
        'EnableNodeCliInspectArguments: false',
        'EnableCookieEncryption: true',
        'EnableEmbeddedAsarIntegrityValidation: true',
        'OnlyLoadAppFromAsar: true',
        'LoadBrowserProcessSpecificV8Snapshot: false',
        'GrantFileProtocolExtraPrivileges: false',
        'WasmTrapHandlers: true',
        'strictlyRequireAllFuses: true',
      ]),
    );
  });

  it('are not undone by switches of the command line', () => {
    expect(filesOf('appendSwitch')).toEqual([]);
    expect(mentions('commandLine')).toEqual([]);
  });
});

it('the double of the end-to-end tests has what main uses of Electron, and nothing more', () => {
  const used = imported.filter((one) => !one.startsWith('preload.ts')).map((one) => one.replace(/^.*: /, ''));
  const offered = nodesOf(parse(join(import.meta.dirname, '../e2e/electron-double/double.ts'))).flatMap(
    (node) =>
      ts.isVariableDeclaration(node) &&
      node.name.getText() === 'electron' &&
      node.initializer &&
      ts.isObjectLiteralExpression(node.initializer)
        ? node.initializer.properties.map((property) => property.name?.getText() ?? '')
        : [],
  );
  expect([...new Set(used)].sort()).toEqual(offered.sort());
});
