/** Milliseconds that "at once" may take on a busy machine. What is tested takes a few milliseconds, or never happens. */
export const promptMs = 5000;
