/** The project's own rule for the linter. */

/** What the rule reads of an `import(...)`. */
interface ImportExpression {
  readonly source: { readonly type: string };
}

interface Context {
  report(fault: { readonly node: ImportExpression; readonly message: string }): void;
}

export default {
  meta: { name: 'chartkeeper' },
  rules: {
    'import-by-literal': {
      create: (context: Context) => ({
        ImportExpression(node: ImportExpression) {
          if (node.source.type !== 'Literal')
            context.report({ node, message: 'Name the module by a literal.' });
        },
      }),
    },
  },
};
