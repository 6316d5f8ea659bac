/** A setting is wrong or missing. The message is one line that names the variable. */
export class BadSetting extends Error {}
