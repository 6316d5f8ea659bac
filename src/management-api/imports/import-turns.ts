/** The time of one turn of the event loop, in milliseconds. A visit takes less than one, and an import has thousands of turns. */
export const importTurnMs = 1;
