/** Returns an array for each property, because a statement takes any number of rows as arrays of their columns. */
export const columnArrays = <Row>(rows: readonly Row[], properties: readonly (keyof Row)[]): unknown[][] =>
  properties.map((property) => rows.map((row) => row[property]));
