import js from '@eslint/js';
import noUnsanitized from 'eslint-plugin-no-unsanitized';
import reactHooks from 'eslint-plugin-react-hooks';
import security from 'eslint-plugin-security';
import tseslint from 'typescript-eslint';

/**
 * What each folder may not import: the architecture's import directions, as regular expressions over specifiers.
 * @type {Record<string, { regex: string, message: string }[]>}
 */
const FORBIDDEN_IMPORTS = {
  core: [
    { regex: '^(?!valibot$)[^.]', message: 'core is pure: it imports nothing but itself, and valibot.' },
    { regex: '^(\\.\\./)+(server|main|renderer|scripts|e2e)/', message: 'core imports nothing but itself.' },
  ],
  server: [
    { regex: '^electron', message: 'electron is imported in main/ alone.' },
    {
      regex: '^(\\.\\./)+(main|renderer|scripts|e2e)/',
      message: 'server imports core, never main or renderer.',
    },
  ],
  main: [
    {
      regex: '^(express|better-sqlite3)',
      message: 'express and better-sqlite3 are imported in server/ alone.',
    },
    { regex: '^(\\.\\./)+(server|renderer|scripts|e2e)/', message: 'main starts the server by file path.' },
  ],
  renderer: [
    { regex: '^(electron|express|better-sqlite3|node:)', message: 'the page runs in a browser.' },
    {
      regex: '^(\\.\\./)+(server|main|scripts|e2e)/',
      message: 'renderer imports core, never server or main.',
    },
  ],
  'renderer/features': [
    { regex: '^(electron|express|better-sqlite3|node:)', message: 'the page runs in a browser.' },
    {
      regex: '^(\\.\\./)+(server|main|scripts|e2e)/',
      message: 'renderer imports core, never server or main.',
    },
    { regex: '^\\.\\./[a-z]', message: 'A feature imports core, ui and platform, never another feature.' },
    { regex: '^\\.\\./\\.\\./(app|features)/', message: 'A feature imports core, ui and platform only.' },
  ],
  // Parts of a feature, a folder deeper.
  'renderer/features/*/*': [
    { regex: '^(electron|express|better-sqlite3|node:)', message: 'the page runs in a browser.' },
    {
      regex: '^(\\.\\./)+(server|main|scripts|e2e)/',
      message: 'renderer imports core, never server or main.',
    },
    {
      regex: '^\\.\\./\\.\\./[a-z]',
      message: 'A feature imports core, ui and platform, never another feature.',
    },
    { regex: '^(\\.\\./)+(app|features)/', message: 'A feature imports core, ui and platform only.' },
  ],
  'server/store': [
    { regex: '^electron', message: 'electron is imported in main/ alone.' },
    { regex: '^express', message: 'the store knows no Express types.' },
    {
      regex: '^(\\.\\./)+(main|renderer|scripts|e2e|http|fhir|workspace)/',
      message: 'the store stands below.',
    },
  ],
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'release/',
      'node_modules/',
      'test-results/',
      'playwright-report/',
      '**/generated/',
      'eslint.config.js',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 300 }],
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  ...Object.entries(FORBIDDEN_IMPORTS).map(([folder, patterns]) => ({
    files: [`${folder}/**/*.{ts,tsx}`],
    ignores: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  })),
  {
    files: ['server/**/*.ts'],
    ignores: ['server/store/sqlite.ts', '**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'better-sqlite3',
              message: 'better-sqlite3 is imported in server/store/sqlite.ts alone.',
            },
          ],
        },
      ],
    },
  },
  // What ships runs no text as code or markup. The plugin's other rules see an attack in every member that is read by a
  // variable, in every file that is named by one, and in every optional group of a regular expression.
  {
    files: ['{core,server,main,renderer}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/testing/**'],
    plugins: { security, 'no-unsanitized': noUnsanitized },
    rules: {
      'no-unsanitized/method': 'error',
      'no-unsanitized/property': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'security/detect-bidi-characters': 'error',
      'security/detect-child-process': 'error',
      'security/detect-disable-mustache-escape': 'error',
      'security/detect-eval-with-expression': 'error',
      'security/detect-non-literal-regexp': 'error',
      'security/detect-non-literal-require': 'error',
      'security/detect-pseudoRandomBytes': 'error',
    },
  },
  // The store's face is asynchronous, SQLite's driver is not.
  { files: ['server/store/**/*.ts'], rules: { '@typescript-eslint/require-await': 'off' } },
  { files: ['renderer/**/*.{ts,tsx}'], ...reactHooks.configs.flat['recommended-latest'] },
  // It tells that the compiler skips a component with a virtual list; the page is built without the compiler.
  { files: ['renderer/**/*.{ts,tsx}'], rules: { 'react-hooks/incompatible-library': 'off' } },
  { files: ['scripts/**'], rules: { 'no-console': 'off' } },
  // Tests look into parsed answers; what is not there fails the assertion.
  {
    files: ['**/*.test.{ts,tsx}', '**/testing/**', 'e2e/**'],
    rules: Object.fromEntries(
      [
        'no-explicit-any',
        'no-unsafe-argument',
        'no-unsafe-assignment',
        'no-unsafe-call',
        'no-unsafe-member-access',
        'no-unsafe-return',
      ].map((rule) => [`@typescript-eslint/${rule}`, 'off']),
    ),
  },
);
