import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, '..');

/** The syntax tree of a file. */
export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

function isSource(name: string): boolean {
  return name.endsWith('.ts') && !name.endsWith('.test.ts');
}

/** The files of main/, without tests. */
export const sources = readdirSync(folder)
  .filter(isSource)
  .map((name) => ({ name, tree: parse(join(folder, name)) }));

/** A node and all below it, in the order of the text. */
export function nodesOf(tree: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [tree];
  tree.forEachChild((child) => void nodes.push(...nodesOf(child)));
  return nodes;
}

/** All nodes of all files. */
export const nodes = sources.flatMap(({ name, tree }) => nodesOf(tree).map((node) => ({ name, node })));

/** Calls of a function or constructor whose name or last member is `callee`, by file. */
export function callsOf(callee: string): { name: string; args: readonly ts.Expression[] }[] {
  return nodes.flatMap(({ name, node }) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
    const { expression } = node;
    const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    return called === callee ? [{ name, args: [...(node.arguments ?? [])] }] : [];
  });
}

/** The files of these calls. */
export const filesOf = (callee: string) => callsOf(callee).map(({ name }) => name);

/** The values that a member has wherever an object literal names it, as they are written, by file. */
export function valuesOf(member: string): string[] {
  return nodes.flatMap(({ name, node }) =>
    ts.isPropertyAssignment(node) && node.name.getText() === member
      ? [`${name}: ${node.initializer.getText()}`]
      : [],
  );
}

/** Files that mention a name anywhere in their code. */
export function mentions(identifier: string): string[] {
  const found = nodes.filter(({ node }) => ts.isIdentifier(node) && node.text === identifier);
  return [...new Set(found.map(({ name }) => name))];
}

/** First arguments of `.on` in one file, as they are written. */
export function eventsIn(file: string): string[] {
  return callsOf('on').flatMap(({ name, args }) => (name === file ? [args[0]?.getText() ?? ''] : []));
}

/** What each file imports from `electron`, types left out. */
export const imported = sources.flatMap(({ name, tree }) =>
  tree.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== 'electron') return [];
    if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
    const bindings = importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) return [`${name}: a whole import`];
    return bindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map((one) => `${name}: ${one.name.text}`);
  }),
);
