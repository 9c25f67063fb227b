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
 * Names the chunks of record tabs in the page (`<meta name="record-modules">`), so that the page can fetch and compile
 * them before their use (renderer/platform/monaco-loader.ts).
 */
function createRecordLinks(): Plugin {
  return {
    name: 'record-links',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const files = new Set<string>();
        const addChunk = (fileName: string) => {
          const chunk = bundle[fileName];
          if (chunk?.type !== 'chunk' || files.has(fileName)) return;
          files.add(fileName);
          chunk.imports.forEach(addChunk);
        };
        for (const [fileName, file] of Object.entries(bundle)) {
          if (file.type === 'chunk' && /\/(record-pane\.tsx|monaco\.ts)$/.test(file.facadeModuleId ?? ''))
            addChunk(fileName);
        }
        const content = [...files].map((fileName) => `/${fileName}`).join(' ');
        return [{ tag: 'meta', attrs: { name: 'record-modules', content }, injectTo: 'head' }];
      },
    },
  };
}

/**
 * Puts Monaco's style sheets into Monaco's chunk. A page without an editor does not parse them, and a chunk that failed to
 * load brings them on the next try. They follow the page's own sheet and precede the rules that Monaco computes.
 */
function inlineMonacoStyles(): Plugin {
  const prefix = '\0monaco-styles:';
  return {
    name: 'monaco-styles',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.endsWith('.css') || !importer?.replaceAll('\\', '/').includes('/monaco-editor/'))
        return null;
      const sheet = await this.resolve(source, importer, { ...options, skipSelf: true });
      // The ending of the path would make Vite read the module as a style sheet.
      return sheet && { id: `${prefix}${sheet.id}.js`, moduleSideEffects: true };
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const sheetPath = id.slice(prefix.length, -'.js'.length);
      return `import text from ${JSON.stringify(`${sheetPath}?inline`)};
const style = document.createElement('style');
style.textContent = text;
document.head.append(style);`;
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
        plugins: [react(), inlineMonacoStyles(), createRecordLinks(), recordPackages(name)],
        worker: { format: 'es', plugins: () => [workers] },
        build: {
          outDir: resolve(root, 'dist/page'),
          emptyOutDir: true,
          target: 'es2024',
          assetsInlineLimit: 0,
          chunkSizeWarningLimit: 8000,
          // A chunk that fails to load is fetched again on the next try, but not its style sheet.
          cssCodeSplit: false,
          rolldownOptions: {
            output: {
              // Otherwise each module that several chunks share becomes a chunk and a request of its own.
              codeSplitting: {
                groups: [
                  {
                    name: 'react',
                    test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
                    tags: ['$initial'],
                  },
                  { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
                  { name: 'core', test: /[\\/]core[\\/]/, tags: ['$initial'] },
                  { name: 'start', tags: ['$initial'] },
                  { name: 'shared', test: /node_modules|renderer[\\/](ui|platform)/, minShareCount: 2 },
                ],
              },
            },
          },
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
