import type { Response } from 'express';

/** Absolute URLs of the management API, from its configured origin: never from what a request says of its host. */
export class Locations {
  constructor(private readonly apiBaseUrl: URL) {}

  get base(): string {
    return new URL('/api/v1', this.apiBaseUrl).href;
  }

  /** `Location` of a resource that was just made, its path under `/api/v1`. */
  created(response: Response, path: string): void {
    response.setHeader('Location', `${this.base}/${path}`);
  }
}
