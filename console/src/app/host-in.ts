/** Returns the host, with its path if there is one, if the text is a web address; null for other texts. */
export const hostIn = (text: string): string | null =>
  /^(?:https?:\/\/)?((?:[\p{L}\d-]+\.)+\p{L}{2,}(?::\d+)?(?:\/\S*)?)$/iu.exec(text)?.[1] ?? null;
