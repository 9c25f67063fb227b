/** Finds the declarations that a function consists of, across modules, and hashes them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/**
 * A used declaration. Statements outside declarations count too, because they run when the module is loaded.
 */
export interface UsedDeclaration {
  /** Path of the module, relative to the root. */
  readonly file: string;
  /** Tokens of the source. */
  readonly text: string;
}

interface Module {
  readonly source: ts.SourceFile;
  readonly declared: ReadonlyMap<string, ts.Statement>;
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  /** Statements that run when the module is loaded. */
  readonly effects: readonly ts.Statement[];
}

/**
 * Lists of types and tables with a fingerprint per row. Another row must not change the existing
 * fingerprints.
 */
const tables =
  /^core\/(?:fhir\/resource\.ts|types\/generated\/)|^core\/fhir\/search-parameters\.ts#(?:searchParametersOf|indexedParametersOf|indexKey)$/;

/**
 * Returns a function that finds all declarations that a declaration consists of, itself first. The function
 * throws if the declaration does not exist.
 */
export function createDeclarationFinder(
  root: string,
): (file: string, name: string) => readonly UsedDeclaration[] {
  const modules = new Map<string, Module>();
  const readModule = (file: string): Module => {
    const module = modules.get(file) ?? parseModule(file, readFileSync(join(root, file), 'utf8'));
    modules.set(file, module);
    return module;
  };
  return (file, name) => {
    const statements = new Map<ts.Node, UsedDeclaration>();
    const loaded = new Set<string>();
    const follow = (fromFile: string, requestedName: string): void => {
      if (tables.test(fromFile) || tables.test(`${fromFile}#${requestedName}`)) return;
      if (fromFile.includes('/generated/')) {
        const text = readFileSync(join(root, fromFile), 'utf8');
        if (!loaded.has(fromFile))
          statements.set(ts.factory.createOmittedExpression(), { file: fromFile, text });
        loaded.add(fromFile);
        return;
      }
      const module = readModule(fromFile);
      const statement = module.declared.get(requestedName);
      const importedName = module.imports.get(requestedName);
      if (statement) addStatement(fromFile, module, statement);
      else if (importedName) follow(importedName.file, importedName.name);
      else throw new Error(`${fromFile} declares no ${requestedName}`);
      if (loaded.has(fromFile)) return;
      loaded.add(fromFile);
      for (const effect of module.effects) addStatement(fromFile, module, effect);
    };
    const addStatement = (fromFile: string, module: Module, statement: ts.Statement): void => {
      if (statements.has(statement)) return;
      const { text, names } = readTokens(statement, module.source);
      statements.set(statement, { file: fromFile, text });
      for (const usedName of names) {
        if (module.declared.has(usedName) || module.imports.has(usedName)) follow(fromFile, usedName);
      }
    };
    follow(file, name);
    return [...statements.values()];
  };
}

/** Returns a hash of declarations that is independent of their order and of their modules. */
export function hashDeclarations(declarations: readonly UsedDeclaration[]): string {
  const hashes = declarations.map(({ text }) => createHash('sha256').update(text).digest('hex'));
  return createHash('sha256').update(hashes.sort().join('\n')).digest('hex').slice(0, 16);
}

/** Cache of parsed modules by file and text. */
const parsedModules = new Map<string, Module>();

function parseModule(file: string, text: string): Module {
  const key = `${file}\n${text}`;
  const cachedModule = parsedModules.get(key);
  if (cachedModule) return cachedModule;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const declared = new Map<string, ts.Statement>();
  const imports = new Map<string, { file: string; name: string }>();
  const effects: ts.Statement[] = [];
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      for (const [localName, name] of listImportedNames(statement))
        imports.set(localName, { file: resolveTarget(file, statement), name });
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      if (statement.name) declared.set(statement.name.text, statement);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        for (const declaredName of listBoundNames(name)) declared.set(declaredName, statement);
      }
    } else effects.push(statement);
  }
  const module = { source, declared, imports, effects };
  parsedModules.set(key, module);
  return module;
}

/** Returns the values of an import or export from another module: their local and their original names. */
function listImportedNames(statement: ts.ImportDeclaration | ts.ExportDeclaration): [string, string][] {
  if (!statement.moduleSpecifier?.getText().includes('.')) return [];
  const list = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  const isTypeOnlyStatement = ts.isImportDeclaration(statement)
    ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    : statement.isTypeOnly;
  if (isTypeOnlyStatement || !list) return [];
  if (!ts.isNamedImports(list) && !ts.isNamedExports(list)) {
    throw new Error(`${statement.getText()} takes a whole module; a stamp follows names`);
  }
  return [...list.elements]
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]);
}

function resolveTarget(
  file: string,
  { moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration,
): string {
  const specifier = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
  return posix.join(dirname(file), specifier);
}

function listBoundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? listBoundNames(element.name) : [],
  );
}

interface Tokens {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

const cachedTokens = new WeakMap<ts.Node, Tokens>();

/** Returns the tokens of a statement, separated by spaces, and the names that may be declared outside. */
function readTokens(statement: ts.Node, source: ts.SourceFile): Tokens {
  const cachedResult = cachedTokens.get(statement);
  if (cachedResult) return cachedResult;
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
  const result = { text: tokens.filter((token) => token !== '').join(' '), names };
  cachedTokens.set(statement, result);
  return result;
}

/** Returns true if an identifier is the name of a member: `b` in `a.b` and in `{ b: a }`. */
function isMember({ parent, ...node }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.pos === node.pos;
  return ts.isPropertyAssignment(parent) && parent.name.pos === node.pos;
}

/** Returns true for the message of a rule, which no row contains. */
function isForReaders(node: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'text' &&
    (ts.isStringLiteralLike(node.initializer) || ts.isTemplateExpression(node.initializer)) &&
    node.initializer.getText().includes(' ')
  );
}
