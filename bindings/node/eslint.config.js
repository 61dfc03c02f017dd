// What TypeScript does not see: `npm run check` runs both.
import js from '@eslint/js';

/** What every runtime has that speaks the web's APIs; nothing of Node.js is among it. */
const web = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'DecompressionStream',
  'Event',
  'EventTarget',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'WebAssembly',
  'atob',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'queueMicrotask',
  'setTimeout',
];
const node = ['Buffer', 'clearInterval', 'console', 'process', 'setImmediate', 'setInterval', 'structuredClone'];

/** @param {string[]} names */
const globals = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default [
  { ignores: ['dist/', 'src/load-module-deno.js'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-implicit-coercion': ['error', { allow: ['!!'] }],
      'no-shadow': 'error',
      'no-throw-literal': 'error',
      'no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'symbol-description': 'error',
    },
  },
  { files: ['src/**/*.js'], languageOptions: { globals: globals(web) }, rules: { 'no-restricted-imports': ['error', { patterns: ['node:*'] }] } },
  { files: ['src/load-module-node.js'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['test/**', 'scripts/**', 'runtimes/**'], languageOptions: { globals: globals([...web, ...node]) } },
];
