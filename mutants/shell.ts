import type { Mutant } from './mutant.ts';

const navigation = 'main/navigation.ts';
const navigationTest = 'main/navigation.test.ts';
const ipcTest = 'main/ipc.test.ts';
const launchTokenTest = {
  file: 'main/window.test.ts',
  title: 'adds the Authorization header with the launch token to its requests, to its own server alone',
};

/** What the window and its page may do. */
export const shellMutants: readonly Mutant[] = [
  {
    mechanism: 'update: a release counts with its signature alone',
    file: 'main/update-check.ts',
    text: 'return isGenuine ? ',
    instead: 'return isGenuine || signed ? ',
    test: { file: 'main/update-check.test.ts', title: 'a release signed with %s is none' },
  },
  {
    mechanism: 'update: nobody is led elsewhere',
    file: 'main/update-check.ts',
    text: "redirect: 'error', ",
    test: {
      file: 'main/update-check.test.ts',
      title: 'tells a newer version that is signed, and where a person gets it',
    },
  },
  {
    mechanism: 'native code: what is loaded is what was built',
    file: 'server/store/sqlite/native-module.ts',
    text: ' === sum) return;',
    instead: " === sum || sum !== '') return;",
    test: {
      file: 'server/store/sqlite/native-module.test.ts',
      title: 'a file that changed by one bit is another',
    },
  },
  {
    mechanism: 'window: navigation stays at the own origin',
    file: navigation,
    text: "contents.on('will-navigate', blockForeign);",
    test: { file: navigationTest, title: '%s is blocked unless it is own' },
  },
  {
    mechanism: 'window: redirects stay at the own origin',
    file: navigation,
    text: "contents.on('will-redirect', blockForeign);",
    test: { file: navigationTest, title: '%s is blocked unless it is own' },
  },
  {
    mechanism: 'window: no webview',
    file: navigation,
    text: "contents.on('will-attach-webview', (event) => event.preventDefault());",
    test: { file: navigationTest, title: 'blocks every webview' },
  },
  {
    mechanism: 'window: https alone goes to the system’s browser',
    file: navigation,
    text: "parsed?.protocol === 'https:' && !hasUserInfo(parsed)",
    instead: 'parsed && !hasUserInfo(parsed)',
    test: { file: navigationTest, title: 'opens no second window, and hands only https to the system' },
  },
  {
    mechanism: 'window: permissions are denied',
    file: navigation,
    text: 'permission === ALLOWED_PERMISSION && ',
    test: { file: navigationTest, title: 'answers permission requests, checks and devices' },
  },
  {
    mechanism: 'window: sandbox',
    file: 'main/window.ts',
    text: 'sandbox: true,',
    instead: 'sandbox: false,',
    test: { file: 'main/source.test.ts', title: 'is created in one place, hardened there' },
  },
  {
    mechanism: 'IPC: the main frame alone',
    file: 'main/ipc.ts',
    text: "if (!message.fromMainFrame) return 'foreign frame';",
    test: { file: ipcTest, title: 'is refused from another frame, also at the own origin' },
  },
  {
    mechanism: 'IPC: the own origin alone',
    file: 'main/ipc.ts',
    text: "if (ownOrigin === undefined || message.frameOrigin !== ownOrigin) return 'foreign origin';",
    test: { file: ipcTest, title: 'is refused from the main frame at %o' },
  },
  {
    mechanism: 'IPC: arguments are guarded',
    file: 'main/ipc.ts',
    text: 'if (args.length !== 1 || !is(schema, value)) return false;',
    test: { file: ipcTest, title: 'is refused with %j' },
  },
  {
    mechanism: 'token: main adds it to the window’s requests',
    file: 'main/authorization.ts',
    text: ', Authorization: credential }',
    instead: ' }',
    test: launchTokenTest,
  },
  {
    mechanism: 'token: the window’s session is given the header',
    file: 'main/window.ts',
    text: 'setupAuthorization(ownSession, options.server, options.token);',
    test: launchTokenTest,
  },
  {
    mechanism: 'token: goes to the own origin alone',
    file: 'main/authorization.ts',
    text: 'if (!isOwnUrl(request.url, server.origin())) {',
    instead: 'if (request.url === "") {',
    test: launchTokenTest,
  },
  {
    mechanism: 'token: is not sent while the server is down',
    file: 'main/authorization.ts',
    text: 'if (!server.isRunning()) return { cancel: true };',
    test: {
      file: 'main/authorization.test.ts',
      title: 'cancels requests to the server while it is down, since another process may hold its port',
    },
  },
];
