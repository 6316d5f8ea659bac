/** The limit for an immediate effect on a busy machine. A tested effect takes a few milliseconds or never happens. */
export const immediateMs = 5000;
