import type { Plugin } from 'vite';

/**
 * Names the chunk of the editor in the page (`<meta name="editor-module">`), so that the page can have it fetched and
 * compiled while it rests, long before it is run (renderer/platform/monaco-loader.ts).
 */
export function editorLink(): Plugin {
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
