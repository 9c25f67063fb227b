/** Names of the functions that connect page and double. Only the preload bundle uses them. */
export const senderName = '__electronDoubleSend';
export const receiverName = '__electronDoubleReceive';

/** Returns a script that runs the preload bundle in the main frame, before the page's own scripts. */
export function preloadScript(bundle: string, argv: readonly string[]): string {
  return `(() => {
    if (window !== window.top) return;
    const listeners = new Map();
    const of = (channel) => listeners.get(channel) ?? [];
    const ipcRenderer = {
      on: (channel, listener) => listeners.set(channel, [...of(channel), listener]),
      off: (channel, listener) => listeners.set(channel, of(channel).filter((one) => one !== listener)),
      send: (channel, ...args) => window.${senderName}(channel, args),
    };
    window.${receiverName} = (channel, args) => of(channel).forEach((listener) => listener({}, ...args));
    const contextBridge = {
      exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api) }),
    };
    const process = { platform: ${JSON.stringify(process.platform)}, argv: ${JSON.stringify(argv)}, sandboxed: false, contextIsolated: false };
    const require = (name) => {
      if (name === 'electron') return { contextBridge, ipcRenderer };
      throw new Error('A sandboxed preload script cannot require ' + name);
    };
    const module = { exports: {} };
    ((module, exports, require, process) => {
      ${bundle}
    })(module, module.exports, require, process);
  })();`;
}
