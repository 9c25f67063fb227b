import js from '@eslint/js';
import noUnsanitized from 'eslint-plugin-no-unsanitized';
import reactHooks from 'eslint-plugin-react-hooks';
import security from 'eslint-plugin-security';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'release/',
      'node_modules/',
      'test-results/',
      'playwright-report/',
      '.stryker-tmp/',
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
      // The compiler's erasableSyntaxOnly refuses enums: an eighth of all rules' time for those of packages.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // An eighth more; what is handed in for an instance is held to its shape by the compiler.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  // Who may import whom is looked at by scripts/boundaries.ts, which cannot see what a variable names.
  {
    files: ['{core,server,main,renderer}/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: "ImportExpression[source.type!='Literal']", message: 'Name the module by a literal.' },
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
      // What DOMPurify has cut down (decision 19).
      'no-unsanitized/property': ['error', { escape: { methods: ['safeMarkup'] } }],
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
    files: ['**/*.test.{ts,tsx}', '**/testing/**', 'e2e/**', 'examples/**'],
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
