/** A plugin of ESLint, whose types are in `tools/`. */
export declare const plainEnglish: object;
