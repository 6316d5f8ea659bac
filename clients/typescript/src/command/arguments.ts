import { UsageFailure } from './failures.js';

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export interface Range {
  min: number;
  max: number;
}

/** Returns the number of decimal digits; null if the text is no whole number of the range. */
export function wholeNumber(text: string, { min, max }: Range): number | null {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : null;
}

/** The values of a command line. A name that the command does not have is a fault of the program. */
export class Arguments {
  constructor(
    private readonly values: Values,
    readonly positionals: readonly string[],
  ) {}

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  list(name: string): string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** @throws UsageFailure if the value is no whole number from `min` to `max` */
  number(name: string, { min, max }: Range): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = wholeNumber(text, { min, max });
    if (value === null) throw new UsageFailure(`--${name} must be a whole number from ${min} to ${max}.`);
    return value;
  }
}
