type Token<T> = (abstract new (...parts: never[]) => T) | string | symbol;

/** Returns a provider for Nest whose value is built of other providers. */
export const provide = <T, Parts extends unknown[]>(
  token: Token<T>,
  inject: [...{ [At in keyof Parts]: Token<Parts[At]> }],
  useFactory: (...parts: Parts) => NoInfer<T> | null | Promise<T | null>,
) => ({ provide: token, inject, useFactory });
