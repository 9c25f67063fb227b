/**
 * The configurations of the four bundles: the page, the server, the shell and its preload script. All are
 * built into dist/.
 */
import react from '@vitejs/plugin-react';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { recordPackages } from './bundled-packages.ts';
import { hashNativeModules } from './native-modules.ts';
import packageJson from '../package.json' with { type: 'json' };

export const root = resolve(import.meta.dirname, '..');

export const bundleNames = ['page', 'server', 'main', 'preload'] as const;
export type BundleName = (typeof bundleNames)[number];

const nodeBuiltins = [...builtinModules, /^node:/];
const define = { __APP_VERSION__: JSON.stringify(packageJson.version) };
/** Only the server loads native code, and only these modules. */
const defineNative = () => ({ __NATIVE_MODULES__: JSON.stringify(hashNativeModules(root)) });

/**
 * Returns true for a module of the shared edition. Its chunks have a folder of their own, which a desktop can lack. All
 * others lie next to the entries, so that paths relative to import.meta.dirname stay valid.
 */
function isOfSharedEdition(moduleId: string | null): boolean {
  return moduleId?.includes('/server/shared/') === true;
}

/** Configures a bundle for Node or Electron. It includes everything except the modules of the platform. */
function configureNodeBundle(
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
          chunkFileNames: ({ moduleIds, facadeModuleId }) =>
            `${[...moduleIds, facadeModuleId].some(isOfSharedEdition) ? 'shared/' : ''}[name]-[hash].js`,
        },
      },
    },
  };
}

/**
 * Names the chunk of the editor in the page (`<meta name="editor-module">`). The page loads and compiles it
 * while idle, long before its use (renderer/platform/monaco-loader.ts).
 */
function createEditorLink(): Plugin {
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

/** Returns Vite's configuration of a bundle. */
export function configureBundle(name: BundleName): InlineConfig {
  switch (name) {
    case 'page': {
      // One plugin for all workers, so that its list contains all of them.
      const workers = recordPackages('workers');
      return {
        root: resolve(root, 'renderer'),
        configFile: false,
        base: '/',
        define,
        logLevel: 'warn',
        plugins: [react(), createEditorLink(), recordPackages(name)],
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
      return configureNodeBundle(
        name,
        {
          cli: resolve(root, 'server/cli.ts'),
          worker: resolve(root, 'server/worker.ts'),
          'text-worker': resolve(root, 'server/validation/text-worker.ts'),
          'check-worker': resolve(root, 'server/validation/check-worker.ts'),
          'profile-worker': resolve(root, 'server/validation/profile-worker.ts'),
          'integrity-worker': resolve(root, 'server/sqlite/integrity-worker.ts'),
          'remote-records-worker': resolve(root, 'server/remote/remote-records-worker.ts'),
          'checkpoint-worker': resolve(root, 'server/store/sqlite/checkpoint-worker.ts'),
          'reader-worker': resolve(root, 'server/store/sqlite/reader-worker.ts'),
          'find-worker': resolve(root, 'server/find/find-worker.ts'),
          'package-worker': resolve(root, 'server/packages/package-worker.ts'),
          'identity-worker': resolve(root, 'server/gateway/identity-worker.ts'),
        },
        [...nodeBuiltins, 'better-sqlite3'],
      );
    case 'main':
      return configureNodeBundle(name, { main: resolve(root, 'main/main.ts') }, [
        ...nodeBuiltins,
        'electron',
      ]);
    case 'preload':
      return configureNodeBundle(
        name,
        { preload: resolve(root, 'main/preload.ts') },
        [...nodeBuiltins, 'electron'],
        'cjs',
      );
  }
}
