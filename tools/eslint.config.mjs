import markdown from '@eslint/markdown';
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
  // Oxlint has all rules of code but the two here, in a fraction of the time (.oxlintrc.json).
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    // Nest reads the classes of injected parameters at run time, so their imports are not of types alone.
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    rules: {
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
    },
  },
  {
    files: [
      'src/app/settings/config.ts',
      'src/shared/any-signal.ts',
      'clients/typescript/src/command/main.ts',
      'test/**/*.ts',
      'benchmarks/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
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
