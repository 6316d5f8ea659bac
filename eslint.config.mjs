// ESLint and editors look here. Its packages are in tools/.
export { default } from './tools/eslint.config.mjs';
