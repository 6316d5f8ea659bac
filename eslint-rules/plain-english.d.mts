import type { ESLint } from 'eslint';

export declare const plainEnglish: ESLint.Plugin;
