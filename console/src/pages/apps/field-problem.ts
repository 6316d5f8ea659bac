import type { AssociationProblem } from './app-drawer';

type Code = AssociationProblem['code'];

/** Returns the rule of Apple or Google that a field breaks, to show it beside the field. */
export const fieldProblem = (problems: AssociationProblem[], ...codes: Code[]): string | undefined =>
  problems.find(({ code }) => codes.includes(code))?.message;
