import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, '..');

/** Returns the syntax tree of a file. */
export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

function isSource(name: string): boolean {
  return name.endsWith('.ts') && !name.endsWith('.test.ts');
}

/** The files of main/ without tests. */
export const sources = readdirSync(folder)
  .filter(isSource)
  .map((name) => ({ name, tree: parse(join(folder, name)) }));

/** Returns a node and its descendants, in the order of the text. */
export function listNodes(tree: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [tree];
  tree.forEachChild((child) => void nodes.push(...listNodes(child)));
  return nodes;
}

/** All nodes of all files. */
export const nodes = sources.flatMap(({ name, tree }) => listNodes(tree).map((node) => ({ name, node })));

/** Returns the calls of a function or constructor by name or last member, with their files. */
export function listCalls(callee: string): { name: string; args: readonly ts.Expression[] }[] {
  return nodes.flatMap(({ name, node }) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
    const { expression } = node;
    const calleeName = ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : expression.getText();
    return calleeName === callee ? [{ name, args: [...(node.arguments ?? [])] }] : [];
  });
}

/** Returns the files of these calls. */
export const listCallingFiles = (callee: string) => listCalls(callee).map(({ name }) => name);

/** Returns the source texts of a member's values in object literals, with their files. */
export function listValues(member: string): string[] {
  return nodes.flatMap(({ name, node }) =>
    ts.isPropertyAssignment(node) && node.name.getText() === member
      ? [`${name}: ${node.initializer.getText()}`]
      : [],
  );
}

/** Returns the files with an identifier anywhere in their code. */
export function listMentioningFiles(identifier: string): string[] {
  const matches = nodes.filter(({ node }) => ts.isIdentifier(node) && node.text === identifier);
  return [...new Set(matches.map(({ name }) => name))];
}

/** Returns the source texts of the first arguments of `.on` in a file. */
export function listEvents(file: string): string[] {
  return listCalls('on').flatMap(({ name, args }) => (name === file ? [args[0]?.getText() ?? ''] : []));
}

/** The imports of each file from `electron`, without types. */
export const electronImports = sources.flatMap(({ name, tree }) =>
  tree.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== 'electron') return [];
    if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
    const bindings = importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) return [`${name}: a whole import`];
    return bindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map((element) => `${name}: ${element.name.text}`);
  }),
);
