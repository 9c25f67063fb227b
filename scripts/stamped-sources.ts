/** Which declarations a function is made of, module by module, and a hash of them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** A declaration that is reached; what stands beside declarations and runs when the module is loaded counts too. */
export interface Reached {
  /** Path of the module, from the root. */
  readonly file: string;
  /** Its tokens. */
  readonly text: string;
}

interface Module {
  readonly source: ts.SourceFile;
  readonly declared: ReadonlyMap<string, ts.Statement>;
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  /** What runs when the module is loaded. */
  readonly effects: readonly ts.Statement[];
}

/** The list of types and tables whose rows bear a stamp of their own, each for itself: a row more changes none of the others. */
const tables =
  /^core\/(?:fhir\/resource\.ts|types\/generated\/)|^core\/fhir\/search-parameters\.ts#(?:searchParametersOf|indexedParametersOf|indexKey)$/;

/** Finds, in the sources below a folder, all that a declaration is made of, itself first; throws where there is no such one. */
export function declarationsIn(root: string): (file: string, name: string) => readonly Reached[] {
  const modules = new Map<string, Module>();
  const moduleAt = (file: string): Module => {
    const module = modules.get(file) ?? moduleOf(file, readFileSync(join(root, file), 'utf8'));
    modules.set(file, module);
    return module;
  };
  return (file, name) => {
    const statements = new Map<ts.Node, Reached>();
    const loaded = new Set<string>();
    const follow = (from: string, wanted: string): void => {
      if (tables.test(from) || tables.test(`${from}#${wanted}`)) return;
      if (from.includes('/generated/')) {
        const text = readFileSync(join(root, from), 'utf8');
        if (!loaded.has(from)) statements.set(ts.factory.createOmittedExpression(), { file: from, text });
        loaded.add(from);
        return;
      }
      const module = moduleAt(from);
      const statement = module.declared.get(wanted);
      const passed = module.imported.get(wanted);
      if (statement) take(from, module, statement);
      else if (passed) follow(passed.file, passed.name);
      else throw new Error(`${from} declares no ${wanted}`);
      if (loaded.has(from)) return;
      loaded.add(from);
      for (const effect of module.effects) take(from, module, effect);
    };
    const take = (from: string, module: Module, statement: ts.Statement): void => {
      if (statements.has(statement)) return;
      const { text, names } = tokensOf(statement, module.source);
      statements.set(statement, { file: from, text });
      for (const one of names) {
        if (module.declared.has(one) || module.imported.has(one)) follow(from, one);
      }
    };
    follow(file, name);
    return [...statements.values()];
  };
}

/** A hash of declarations that does not know their order, nor in which module they stand. */
export function hashOf(reached: readonly Reached[]): string {
  const each = reached.map(({ text }) => createHash('sha256').update(text).digest('hex'));
  return createHash('sha256').update(each.sort().join('\n')).digest('hex').slice(0, 16);
}

/** By file and text: sources that were read once are not parsed again. */
const parsed = new Map<string, Module>();

function moduleOf(file: string, text: string): Module {
  const key = `${file}\n${text}`;
  const known = parsed.get(key);
  if (known) return known;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const declared = new Map<string, ts.Statement>();
  const imported = new Map<string, { file: string; name: string }>();
  const effects: ts.Statement[] = [];
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      for (const [own, name] of passedOn(statement))
        imported.set(own, { file: target(file, statement), name });
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      if (statement.name) declared.set(statement.name.text, statement);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        for (const one of namesOf(name)) declared.set(one, statement);
      }
    } else effects.push(statement);
  }
  const made = { source, declared, imported, effects };
  parsed.set(key, made);
  return made;
}

/** The values that an import or an export takes from another module: their names here and there. */
function passedOn(statement: ts.ImportDeclaration | ts.ExportDeclaration): [string, string][] {
  if (!statement.moduleSpecifier?.getText().includes('.')) return [];
  const list = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  const typeOnly = ts.isImportDeclaration(statement)
    ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    : statement.isTypeOnly;
  if (typeOnly || !list) return [];
  if (!ts.isNamedImports(list) && !ts.isNamedExports(list)) {
    throw new Error(`${statement.getText()} takes a whole module; a stamp follows names`);
  }
  return [...list.elements]
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]);
}

function target(file: string, { moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration): string {
  const specifier = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
  return posix.join(dirname(file), specifier);
}

function namesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []));
}

interface Tokens {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

const listed = new WeakMap<ts.Node, Tokens>();

/** A statement's tokens with a space between, and the names in it that may be declared outside. */
function tokensOf(statement: ts.Node, source: ts.SourceFile): Tokens {
  const known = listed.get(statement);
  if (known) return known;
  const tokens: string[] = [];
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isForReaders(node) || (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node))) return;
    if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.ExportKeyword) return;
    const children = node.getChildren(source);
    if (children.length === 0) tokens.push(node.getText(source));
    if (ts.isIdentifier(node) && !isMember(node)) names.add(node.text);
    for (const child of children) visit(child);
  };
  visit(statement);
  const made = { text: tokens.filter((token) => token !== '').join(' '), names };
  listed.set(statement, made);
  return made;
}

/** Whether an identifier names a member of something: `b` in `a.b` and in `{ b: a }`. */
function isMember({ parent, ...node }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.pos === node.pos;
  return ts.isPropertyAssignment(parent) && parent.name.pos === node.pos;
}

/** A rule's sentence: no row holds it. */
function isForReaders(node: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'text' &&
    (ts.isStringLiteralLike(node.initializer) || ts.isTemplateExpression(node.initializer)) &&
    node.initializer.getText().includes(' ')
  );
}
