import js from '@eslint/js';
import markdown from '@eslint/markdown';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { plainEnglish } from '../eslint-rules/plain-english.mjs';

const code = ['**/*.{ts,tsx,mjs,cjs}'];

export default tseslint.config(
  {
    ignores: [
      'build/',
      'dist/',
      'clients/*/dist/',
      'clients/typescript/src/schema.ts',
      'coverage/',
      'reports/',
      '.data/',
      'node_modules/',
    ],
  },
  { files: code, ...js.configs.recommended },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended, tseslint.configs.stylistic],
    // Nest reads the classes of injected parameters at run time, so their imports are not of types alone.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      // Accounts and projects declare what they add to a request by merging into Express's namespace.
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/class-literal-property-style': 'off',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only config.ts reads the environment.',
        },
        {
          selector: "MemberExpression[object.name='AbortSignal'][property.name='any']",
          message: 'Use `anySignal`, because `AbortSignal.any` can lose a time-out.',
        },
        {
          selector: "MemberExpression[object.name='URL'][property.name='canParse']",
          message: 'Use `parseUrl`, because `URL.canParse` returns false for some valid texts.',
        },
        {
          selector:
            'ExpressionStatement > CallExpression[callee.name=/^(decodeURI|decodeURIComponent|encodeURI|encodeURIComponent|BigInt|Number|String)$/]',
          message: 'Use the result, because the bundler takes such a call away.',
        },
      ],
      eqeqeq: 'error',
      'no-control-regex': 'off',
      'no-console': 'error',
    },
  },
  {
    files: ['clients/app/src/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['URL', 'URLSearchParams'].map((name) => ({
          name,
          message: 'Parse by `link.ts`, because some versions of Hermes lack parts of it.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'benchmarks/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      'no-console': 'off',
      // Jest's matchers are declared by merging into its namespace.
      '@typescript-eslint/no-namespace': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/pool.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: 'pg',
          importNames: ['Pool'],
          allowTypeImports: true,
          message:
            'Use `aPool`, because the end of a test database terminates connections that a pool has not closed yet.',
        },
      ],
    },
  },
  { files: ['console/src/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat['recommended-latest']] },
  {
    files: ['src/app/settings/config.ts', 'src/shared/any-signal.ts', 'clients/typescript/src/command/main.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.{cjs,mjs}'],
    languageOptions: {
      globals: {
        Buffer: 'readonly',
        performance: 'readonly',
        module: 'writable',
        require: 'readonly',
        process: 'readonly',
        console: 'readonly',
        setInterval: 'readonly',
        URL: 'readonly',
      },
    },
  },
  { plugins: { markdown, prose: plainEnglish } },
  {
    files: code,
    rules: { 'prose/comments': 'error', 'prose/messages': 'error', 'prose/names': 'error' },
  },
  { files: code, ignores: ['test/**', '**/*.controller.ts'], rules: { 'prose/nouns': 'error' } },
  { files: ['src/**/*.ts'], rules: { 'prose/doc-comment-verb': 'error' } },
  {
    files: ['src/{api-kit,tenancy,links,clicks,imports,management-api,diagnostics}/**/*.ts'],
    rules: { 'prose/descriptions': 'error' },
  },
  { files: ['**/*.md'], language: 'markdown/gfm', rules: { 'prose/markdown': 'error' } },
  { files: ['**/*.{yaml,yml}', '**/Dockerfile', '**/Caddyfile'], processor: 'prose/yaml' },
  { files: ['**/NOTES.txt'], processor: 'prose/text' },
  { files: ['migrations/*.sql'], processor: 'prose/sql' },
  { files: ['**/*.{yaml,yml,txt,sql}/*.js', '**/{Dockerfile,Caddyfile}/*.js'], rules: { 'prose/comments': 'error' } },
);
