/** The four bundles, one table: the page, the server, the shell and its preload script. All land in dist/. */
import react from '@vitejs/plugin-react';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { recordPackages } from './bundled-packages.ts';
import { nativeModules } from './native-modules.ts';
import packageJson from '../package.json' with { type: 'json' };

export const root = resolve(import.meta.dirname, '..');

export const bundleNames = ['page', 'server', 'main', 'preload'] as const;
export type BundleName = (typeof bundleNames)[number];

const nodeBuiltins = [...builtinModules, /^node:/];
const define = { __APP_VERSION__: JSON.stringify(packageJson.version) };
/** The server alone loads native code, and no other than this. */
const defineNative = () => ({ __NATIVE_MODULES__: JSON.stringify(nativeModules(root)) });

/** A bundle that runs in Node or Electron: everything inside but what the platform provides. */
function nodeBundle(
  name: BundleName,
  entries: Record<string, string>,
  external: (string | RegExp)[],
  format: 'es' | 'cjs' = 'es',
): InlineConfig {
  return {
    root,
    configFile: false,
    define: name === 'server' ? { ...define, ...defineNative() } : define,
    logLevel: 'warn',
    plugins: [recordPackages(name)],
    ssr: { noExternal: true, external: external.filter((name) => typeof name === 'string') },
    build: {
      ssr: true,
      outDir: resolve(root, 'dist', name === 'preload' ? 'main' : name),
      emptyOutDir: name !== 'preload',
      target: 'node22',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: entries,
        external,
        output: {
          format,
          entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
          // Beside the entries: what is found by import.meta.dirname stays where the sources expect it.
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  };
}

/**
 * Names the chunk of the editor in the page (`<meta name="editor-module">`), so that the page can have it fetched and
 * compiled while it rests, long before it is run (renderer/platform/monaco-loader.ts).
 */
function editorLink(): Plugin {
  return {
    name: 'editor-link',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/platform/monaco.ts'),
        );
        if (!chunk) return [];
        const attrs = { name: 'editor-module', content: `/${chunk.fileName}` };
        return [{ tag: 'meta', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** Vite's configuration of one bundle. */
export function bundle(name: BundleName): InlineConfig {
  switch (name) {
    case 'page': {
      // One for all workers, so that its list is of all of them.
      const workers = recordPackages('workers');
      return {
        root: resolve(root, 'renderer'),
        configFile: false,
        base: '/',
        define,
        logLevel: 'warn',
        plugins: [react(), editorLink(), recordPackages(name)],
        worker: { format: 'es', plugins: () => [workers] },
        build: {
          outDir: resolve(root, 'dist/page'),
          emptyOutDir: true,
          target: 'es2024',
          assetsInlineLimit: 0,
          chunkSizeWarningLimit: 8000,
        },
      };
    }
    case 'server':
      return nodeBundle(
        name,
        {
          cli: resolve(root, 'server/cli.ts'),
          worker: resolve(root, 'server/worker.ts'),
          'text-thread': resolve(root, 'server/judge/text-thread.ts'),
          'check-thread': resolve(root, 'server/judge/check-thread.ts'),
          'profile-thread': resolve(root, 'server/judge/profile-thread.ts'),
          'inspect-thread': resolve(root, 'server/store/sqlite/inspect-thread.ts'),
          'remote-records-thread': resolve(root, 'server/store/sqlite/remote-records-thread.ts'),
          'carry-thread': resolve(root, 'server/store/sqlite/carry-thread.ts'),
          'reader-thread': resolve(root, 'server/store/sqlite/reader-thread.ts'),
          'find-thread': resolve(root, 'server/find/find-thread.ts'),
          'package-thread': resolve(root, 'server/packages/package-thread.ts'),
          'identity-thread': resolve(root, 'server/gateway/identity-thread.ts'),
        },
        [...nodeBuiltins, 'better-sqlite3'],
      );
    case 'main':
      return nodeBundle(name, { main: resolve(root, 'main/main.ts') }, [...nodeBuiltins, 'electron']);
    case 'preload':
      return nodeBundle(
        name,
        { preload: resolve(root, 'main/preload.ts') },
        [...nodeBuiltins, 'electron'],
        'cjs',
      );
  }
}
