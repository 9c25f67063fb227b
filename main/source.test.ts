/*
 * Reads main/ as a syntax tree and asserts the points of a security review, line by line: items 15 to 17 of the
 * security design. A comment or string cannot satisfy an assertion, and a second window, handler or link cannot evade
 * it.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { channels } from '../core/app/shell.ts';
import {
  listCalls,
  listEvents,
  listCallingFiles,
  electronImports,
  listMentioningFiles,
  nodes,
  listNodes,
  parse,
  sources,
  listValues,
} from './testing/source-tree.ts';

it('reads real code', () => {
  expect(sources.length).toBeGreaterThan(25);
  expect(electronImports).toContain('main.ts: app');
});

describe('15: the window', () => {
  it('is created and hardened in one place', () => {
    expect(listCallingFiles('BrowserWindow')).toEqual(['window.ts']);
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
      expect(listValues(setting), setting).toEqual([`window.ts: ${value}`]);
    }
    for (const loose of ['experimentalFeatures', 'enableBlinkFeatures', 'disableBlinkFeatures', 'plugins']) {
      expect(listValues(loose)).toEqual([]);
    }
  });

  it('is the only kind of window, without webviews or views', () => {
    for (const otherClass of ['WebContentsView', 'BrowserView', 'BaseWindow', 'webContents']) {
      expect(electronImports.filter((importLine) => importLine.endsWith(`: ${otherClass}`))).toEqual([]);
    }
  });

  it('is sandboxed before Electron is ready', () => {
    expect(listCallingFiles('enableSandbox')).toEqual(['main.ts']);
    const text = sources.find(({ name }) => name === 'main.ts')?.tree.getText() ?? '';
    expect(text.indexOf('enableSandbox();')).toBeGreaterThan(0);
    expect(text.indexOf('enableSandbox();')).toBeLessThan(text.indexOf('.whenReady()'));
  });

  it('loads only the server’s page and the failure page', () => {
    const loaded = listCalls('loadURL').map(({ name, args }) => `${name}: ${args[0]?.getText() ?? ''}`);
    expect(loaded).toEqual([
      'failure-page.ts: `data:text/html;charset=utf-8,${encodeURIComponent(failurePage(failure))}`',
      'page-loader.ts: `${origin}/`',
    ]);
    for (const method of ['loadFile', 'executeJavaScript', 'insertCSS', 'downloadURL', 'openDevTools']) {
      expect(listCallingFiles(method), method).toEqual([]);
    }
  });

  it('gets permissions only from one handler for requests and one for checks', () => {
    for (const handler of [
      'setPermissionRequestHandler',
      'setPermissionCheckHandler',
      'setDevicePermissionHandler',
    ]) {
      expect(listCallingFiles(handler), handler).toEqual(['navigation.ts']);
    }
    const strings = nodes
      .filter(({ node }) => ts.isStringLiteral(node))
      .map(({ node }) => node as ts.StringLiteral);
    const permissions = strings
      .map(({ text }) => text)
      .filter((text) => /clipboard|geolocation|media$/.test(text));
    expect(permissions).toEqual(['clipboard-sanitized-write']);
  });

  it('blocks navigation, redirects, webviews and new windows for all contents', () => {
    expect(listEvents('navigation.ts')).toEqual([
      "'will-navigate'",
      "'will-frame-navigate'",
      "'will-redirect'",
      "'will-attach-webview'",
      "'web-contents-created'",
    ]);
    expect(listCallingFiles('setWindowOpenHandler')).toEqual(['navigation.ts']);
    expect(listValues('action')).toEqual(["navigation.ts: 'deny'"]);
  });

  it('opens external links from one file, with a parsed https address', () => {
    expect(electronImports.filter((importLine) => importLine.endsWith(': shell'))).toEqual([
      'navigation.ts: shell',
    ]);
    expect(listCalls('openExternal').map(({ args }) => args[0]?.getText())).toEqual(['target', 'url']);
    for (const method of ['openPath', 'showItemInFolder', 'trashItem'])
      expect(listCallingFiles(method)).toEqual([]);
  });

  it('has no remote content: no foreign address, no protocol handler, no request of the shell', () => {
    const addresses = nodes
      .filter(({ node }) => ts.isStringLiteralLike(node))
      .map(({ node }) => (node as ts.StringLiteral).text)
      .filter((text) => /^(?:https?|wss?|ftp|file):/.test(text));
    expect([...new Set(addresses)].sort()).toEqual(['http:', 'https:']);
    for (const otherModule of [
      'net',
      'protocol',
      'autoUpdater',
      'crashReporter',
      'ipcMain',
      'desktopCapturer',
    ]) {
      expect(
        electronImports.filter((importLine) => importLine.endsWith(`: ${otherModule}`)),
        otherModule,
      ).toEqual([]);
    }
    // The only request is the user's, to a configured address. Its response is read, but nothing of it is run
    // or stored.
    expect(listCallingFiles('fetch')).toEqual(['update-check.ts']);
    expect(listCalls('fetch').map(({ name, args }) => `${name}: ${args[0]?.getText() ?? ''}`)).toEqual([
      'update-check.ts: address',
    ]);
    expect(listCalls('showUpdate').map(({ name }) => name)).toEqual(['shell.ts']);
  });

  it('runs no code that it received', () => {
    for (const name of ['eval', 'Function', 'exec', 'execSync', 'spawn', 'spawnSync', 'runInContext']) {
      expect(
        listCallingFiles(name).filter((file) => !usesRegExp(file, name)),
        name,
      ).toEqual([]);
    }
    expect(listCalls('fork').map(({ name, args }) => `${name}: ${args.length}`)).toEqual([
      'server-child.ts: 3',
      'server-process.ts: 0',
    ]);
    expect(listMentioningFiles('child_process')).toEqual([]);
    expect(
      nodes.filter(({ node }) => ts.isImportDeclaration(node) && /child_process|vm'/.test(node.getText())),
    ).toEqual([]);
  });
});

/** `exec` is a method of regular expressions. None of these files imports one that runs a program. */
function usesRegExp(file: string, name: string): boolean {
  const text = sources.find((source) => source.name === file)?.tree.getText() ?? '';
  return name === 'exec' && !text.includes('child_process');
}

describe('16: messages', () => {
  it('arrive in one place, only from the contents', () => {
    const listening = listCalls('on').filter(({ args }) =>
      /^'ipc-message|^'message'/.test(args[0]?.getText() ?? ''),
    );
    expect(listening.map(({ name, args }) => `${name}: ${args[0]?.getText() ?? ''}`)).toEqual([
      "ipc.ts: 'ipc-message'",
      "server-child.ts: 'message'",
    ]);
    expect(listMentioningFiles('ipcMain')).toEqual([]);
    expect(listMentioningFiles('MessageChannelMain')).toEqual([]);
  });

  it('are checked by frame, then origin, then channel, then argument', () => {
    const receive = nodes.find(({ node }) => ts.isFunctionDeclaration(node) && node.name?.text === 'receive');
    const verdicts = listNodes(receive?.node ?? parse(join(import.meta.dirname, 'ipc.ts')))
      .filter(ts.isStringLiteral)
      .map(({ text }) => text);
    expect(verdicts).toEqual([
      'foreign frame',
      'foreign origin',
      'unknown channel',
      'handled',
      'bad argument',
    ]);
    expect(listMentioningFiles('senderFrame')).toEqual(['ipc.ts']);
  });

  it('have a channel of the table: the registry handles those of the page, the shell sends the others', () => {
    const listChannels = (file: string) =>
      nodes.flatMap(({ name, node }) =>
        name === file && ts.isPropertyAccessExpression(node) && node.expression.getText() === 'channels'
          ? [node.name.text]
          : [],
      );
    expect(listChannels('ipc.ts').sort()).toEqual(['connection', 'ready', 'unlock', 'unsavedTabs']);
    const channelNames = [...listChannels('ipc.ts'), ...listChannels('shell.ts'), ...listChannels('menu.ts')];
    expect([...new Set(channelNames)].sort()).toEqual(Object.keys(channels).sort());
    expect([...new Set(listChannels('preload.ts'))].sort()).toEqual(Object.keys(channels).sort());
    const literals = nodes.filter(
      ({ node }) => ts.isStringLiteralLike(node) && node.text.startsWith('chartkeeper:'),
    );
    expect(literals).toEqual([]);
  });

  it('leave the page by one bridge, which passes no event and nothing of Electron', () => {
    expect(
      electronImports.filter((importLine) => /: (?:contextBridge|ipcRenderer)$/.test(importLine)),
    ).toEqual(['preload.ts: contextBridge', 'preload.ts: ipcRenderer']);
    expect(
      listCalls('exposeInMainWorld').map(({ args }) => args.map((argument) => argument.getText())),
    ).toEqual([["'chartkeeper'", 'bridge']]);
    for (const method of ['sendSync', 'invoke', 'sendToHost', 'postMessage']) {
      expect(
        listCallingFiles(method).filter((file) => file === 'preload.ts'),
        method,
      ).toEqual([]);
    }
  });
});

describe('17: fuses', () => {
  it('are all set by name in one table', () => {
    const settings = ['fuses.ts', '../scripts/after-pack.ts']
      .flatMap((file) => listNodes(parse(join(import.meta.dirname, file))))
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
    expect(listCallingFiles('appendSwitch')).toEqual([]);
    expect(listMentioningFiles('commandLine')).toEqual([]);
  });
});

it('matches the Electron double of the end-to-end tests with the use of Electron in main', () => {
  const usedNames = electronImports
    .filter((importLine) => !importLine.startsWith('preload.ts'))
    .map((importLine) => importLine.replace(/^.*: /, ''));
  const doubleNames = listNodes(parse(join(import.meta.dirname, '../e2e/electron-double/double.ts'))).flatMap(
    (node) =>
      ts.isVariableDeclaration(node) &&
      node.name.getText() === 'electron' &&
      node.initializer &&
      ts.isObjectLiteralExpression(node.initializer)
        ? node.initializer.properties.map((property) => property.name?.getText() ?? '')
        : [],
  );
  expect([...new Set(usedNames)].sort()).toEqual(doubleNames.sort());
});
