/** A wrong or missing setting. The message is one line that names the variable. */
export class BadSetting extends Error {}
