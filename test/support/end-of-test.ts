const ends: (() => unknown)[] = [];

/** Runs after the test that calls it, the latest first, even if the test fails. */
export const atEndOfTest = (end: () => unknown): unknown => ends.push(end);

export async function endTest(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
