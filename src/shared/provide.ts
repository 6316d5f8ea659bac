type Token<T> = (abstract new (...parts: never[]) => T) | string | symbol;
type Tokens<Parts extends unknown[]> = [...{ [At in keyof Parts]: Token<Parts[At]> }];

/** Returns a provider for Nest whose value is built of other providers. */
export const provide = <T, Parts extends unknown[]>(
  token: Token<T>,
  inject: Tokens<Parts>,
  useFactory: (...parts: Parts) => NoInfer<T> | null | Promise<T | null>,
) => ({ provide: token, inject, useFactory });

/** Returns a provider for Nest of a class whose constructor takes an object of other providers. */
export const provideNamed = <Parts extends object>(
  token: new (parts: Parts) => unknown,
  inject: { [Name in keyof Parts]-?: Token<NonNullable<Parts[Name]>> },
) => ({
  provide: token,
  inject: Object.values<Token<unknown>>(inject),
  useFactory: (...values: unknown[]) =>
    new token(Object.fromEntries(Object.keys(inject).map((name, at) => [name, values[at]])) as Parts),
});

/** Returns a provider for Nest of a class whose constructor takes other providers, and perhaps further parameters. */
export const provideClass = <Parts extends unknown[]>(
  token: new (...parts: Parts) => unknown,
  inject: Tokens<Parts>,
) => ({ provide: token, inject: inject as Token<unknown>[], useFactory: (...parts: Parts) => new token(...parts) });
